/** @import { Command } from 'commander' */

/** @param {Command} command @returns {string} all that it prints with --help */
export function helpOf(command) {
  let help = '';
  command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
  return help;
}
