#!/usr/bin/env bash
# Makes a bare Debian or Ubuntu ready for `npm run deploy:setup`. It may be run again at any time: what is there already
# is left as it is, but for the files that this script writes itself (write_file, below).
set -euo pipefail

usage() {
  cat <<'EOF'
usage: provision.sh [--user NAME] [--path FOLDER] [--authorized-key KEY] [--dry-run]

Run it as root, on the server:
  ssh root@SERVER bash -s -- --authorized-key "'$(cat ~/.ssh/id_ed25519.pub)'" < deploy/provision.sh

  --user NAME           user that owns and runs the site; created if missing; default: sockshootout
  --path FOLDER         folder of the site; default: /srv/sockshootout
  --authorized-key KEY  public key, a whole line, with which that user may log in to deploy
  --dry-run             only print what would be done
  --help                print this text
EOF
}

fail() {
  printf 'provision: %s\n' "$*" >&2
  exit 1
}

readonly node_wanted='>=20.19 <21 || >=22.12' node_source=node_24.x
# What a non-interactive shell over ssh has: a Node elsewhere would not be found when it matters.
readonly ssh_path=/usr/local/bin:/usr/bin:/bin
user=sockshootout path=/srv/sockshootout key=none dry_run='' written=''

parse_arguments() {
  while (($#)); do
    case $1 in
      --user) user=${2-} ;;
      --path) path=${2-} ;;
      --authorized-key) key=${2-} ;;
      --dry-run) dry_run=1 && shift && continue ;;
      --help) usage && exit ;;
      *) usage >&2 && fail "expected one of the options above, got '$1'" ;;
    esac
    # A value that is missing is empty, and so named below.
    shift $(($# > 1 ? 2 : 1))
  done
  [[ $user =~ ^[a-z_][a-z0-9_-]*$ ]] || fail "--user: expected small letters, digits, _ or -, got '$user'"
  [[ $path =~ ^/[A-Za-z0-9_.+-][A-Za-z0-9_./+-]*$ ]] || fail "--path: expected an absolute path, got '$path'"
  [[ $key =~ ^(ssh|ecdsa|sk)-[^[:cntrl:]]+$ || $key == none ]] ||
    fail "--authorized-key: expected a line of a .pub file, got '$key'"
}

check_system() {
  # shellcheck source=/dev/null
  [[ " $(. /etc/os-release && echo "$ID ${ID_LIKE:-}") " == *' debian '* ]] || fail 'expected Debian or Ubuntu'
  [[ -n $dry_run || $(id -u) == 0 ]] || fail "expected to be run as root, got $(id -un)"
}

say() { printf '%s\n' "$*"; }

# Does it, or says it: a line for people, not one to paste.
run() {
  say "+ $*"
  [[ -n $dry_run ]] || "$@"
}

# usage: write_file FILE <<TEXT
# One that holds anything else is replaced, and named in `written`.
write_file() {
  local text
  text=$(cat)
  [[ ! -f $1 || $(cat "$1") != "$text" ]] || return 0
  say "+ write $1"
  written=$1
  [[ -n $dry_run ]] || install -D -m 644 /dev/stdin "$1" <<<"$text"
}

install_packages() {
  local missing=() name
  for name in "$@"; do
    [[ $(dpkg-query -Wf '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  run apt-get update -qq
  run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# As package.json says.
fits_node() {
  local major minor
  IFS=. read -r major minor _ <<<"${1#v}"
  ((major == 20 && minor >= 19 || major == 22 && minor >= 12 || major > 22))
}

has_node() {
  local found
  found=$(env -i PATH=$ssh_path node --version 2>/dev/null) || return 1
  env -i PATH=$ssh_path sh -c 'command -v npm' >/dev/null || return 1
  fits_node "$found"
}

# https://github.com/nodesource/distributions, without piping a script from there into a shell.
install_node() {
  has_node && return
  local keyring=/etc/apt/keyrings/nodesource.asc
  run install -d -m 755 /etc/apt/keyrings
  run curl -fsSL -o "$keyring" https://deb.nodesource.com/gpgkey/nodesource-repo.gpg.key
  write_file /etc/apt/sources.list.d/nodesource.list <<EOF
deb [signed-by=$keyring] https://deb.nodesource.com/$node_source nodistro main
EOF
  run apt-get update -qq
  run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nodejs
  [[ -n $dry_run ]] || has_node || fail "expected Node.js $node_wanted in $ssh_path after installing it"
}

add_user() {
  # pm2 deploy's commands are for bash.
  id "$user" >/dev/null 2>&1 || run useradd --create-home --shell /bin/bash "$user"
}

# Of a user who is still to be made, it is what useradd will give.
home_of() {
  getent passwd "$user" | cut -d : -f 6 | grep . || printf '/home/%s\n' "$user"
}

group_of() { id -gn "$user" 2>/dev/null || printf '%s\n' "$user"; }

add_folder() {
  [[ -d $path && $(stat -c %U "$path") == "$user" ]] || run install -d -o "$user" -g "$(group_of)" -m 755 "$path"
}

add_key() {
  local file
  file=$(home_of)/.ssh/authorized_keys
  [[ $key != none ]] || return 0
  ! grep -qsxF "$key" "$file" || return 0
  run install -d -o "$user" -g "$(group_of)" -m 700 "$(dirname "$file")"
  say "+ add the key to $file"
  [[ -z $dry_run ]] || return 0
  # Its last line may have no end.
  [[ ! -s $file || -z $(tail -c 1 "$file") ]] || echo >>"$file"
  printf '%s\n' "$key" >>"$file"
  chown "$user:" "$file"
  chmod 600 "$file"
}

# pm2 keeps its logs open, so they are copied and emptied.
rotate_logs() {
  write_file "/etc/logrotate.d/$user" <<EOF
$(home_of)/.pm2/logs/*.log $(home_of)/.pm2/pm2.log {
  su $user $(group_of)
  daily
  maxsize 100M
  rotate 14
  compress
  missingok
  notifempty
  copytruncate
}
EOF
}

# Brings back at boot what the last deployment saved. Before the first there is no pm2, and nothing to bring back.
start_at_boot() {
  local home unit=$user.service pm2=$path/pm2/node_modules/pm2/bin/pm2
  local file=/etc/systemd/system/$unit
  home=$(home_of)
  command -v systemctl >/dev/null || { say 'No systemd: nothing starts the site at boot' && return; }
  write_file "$file" <<EOF
[Unit]
Description=SockShootout, run by pm2
After=network-online.target
Wants=network-online.target
ConditionPathExists=$pm2

[Service]
Type=forking
User=$user
Environment=PATH=$ssh_path PM2_HOME=$home/.pm2
PIDFile=$home/.pm2/pm2.pid
ExecStart=$pm2 resurrect
ExecReload=$pm2 reload all
ExecStop=$pm2 kill
LimitNOFILE=65536
Restart=on-failure

[Install]
WantedBy=multi-user.target
EOF
  if ! systemctl is-enabled --quiet "$unit" 2>/dev/null; then
    run systemctl enable "$unit"
  elif [[ $written == "$file" && -d /run/systemd/system ]]; then
    run systemctl daemon-reload
  fi
}

main() {
  parse_arguments "$@"
  check_system
  install_packages ca-certificates curl git logrotate nginx openssh-server tar util-linux
  install_node
  add_user
  add_folder
  add_key
  rotate_logs
  start_at_boot
  say "Ready: $user owns $path"
}

# What bash reads this from is not for the programs that it starts: they could swallow the rest.
main "$@" </dev/null
