#!/usr/bin/env bash
# Says what a server lacks. `npm run deploy:setup` sends it over ssh before anything else; every deployment asks again.
#
# usage: check-host.sh DEPLOY_PATH
set -euo pipefail

base=${1:?expected the deploy path}
readonly base node_wanted='>=20.19 <21 || >=22.12' least_free_mb=500

fail() {
  printf 'This server is not ready: %s\n' "$*" >&2
  exit 1
}

check_shell() {
  # ssh sets SHELL. pm2 deploy's own commands are for bash, and half of them do nothing useful in another.
  [[ ${SHELL:-} == */bash ]] || fail "expected $(id -un)'s login shell to be bash, got '${SHELL:-}'; chsh sets it"
}

check_tools() {
  local tool
  for tool in git node npm tar flock; do
    # What is set up in a profile, like nvm's Node, is missing here.
    command -v "$tool" >/dev/null ||
      fail "expected $tool in the PATH of a non-interactive shell ($PATH), found none; deploy/provision.sh installs it"
  done
}

# As package.json says.
fits_node() {
  local major minor
  IFS=. read -r major minor _ <<<"${1#v}"
  ((major == 20 && minor >= 19 || major == 22 && minor >= 12 || major > 22))
}

check_node() {
  local found
  found=$(node --version)
  fits_node "$found" || fail "expected Node.js $node_wanted, got $found; deploy/provision.sh installs one"
}

check_folder() {
  local folder=$base free_mb
  until [[ -d $folder ]]; do folder=$(dirname "$folder"); done
  [[ -w $folder ]] ||
    fail "expected $(id -un) to have the right to write in $folder, for $base; deploy/provision.sh makes the folder"
  free_mb=$(df -Pm "$folder" | awk 'NR == 2 { print $4 }')
  ((free_mb >= least_free_mb)) || fail "expected $least_free_mb MB of free disk for $base, got $free_mb MB"
}

check_shell
check_tools
check_node
check_folder
