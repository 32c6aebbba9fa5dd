#!/usr/bin/env bash
# pm2 deploy runs this on the server, in the checkout that it has just reset to what is to be deployed.
#
# Nothing runs from that checkout. Each release is built and tried in a folder of its own, and only then does the link
# `live` point to it and pm2 replace the workers, one after the other. So a build that fails touches nothing that runs; a
# worker that crashes meanwhile comes back as what it was; and going back is fast, as the release before is still there.
set -euo pipefail

base=$(dirname "${SHARED:?expected the folder shared of the deploy path}")
commit=$(git rev-parse HEAD)
release=$base/releases/$commit
readonly base commit release kept_releases=3

main() {
  trap end EXIT
  lock
  bash deploy/check-host.sh "$base"
  load_env
  [[ -d $release ]] || build
  try
  [[ -d $base/pm2 ]] || keep_pm2
  replace
  prune
  note
  say "$commit serves"
}

say() { printf '  %s\n' "$*"; }

fail() {
  printf '  %s\n' "$*" >&2
  exit 1
}

lock() {
  exec 9>"$base/.lock"
  flock --nonblock 9 || fail 'Another deployment is under way'
}

load_env() {
  set -a
  # shellcheck source=/dev/null
  . "$SHARED/env"
  set +a
  # ecosystem.config.js would take the same, but this script counts on it, too.
  export WORKERS=${WORKERS:-$(node -p 'os.availableParallelism()')}
}

build() {
  say "building $release"
  # Left by a build that was cut off. The lock is ours, so none is under way.
  rm -rf "$base/releases/"*.part
  mkdir -p "$release.part"
  git archive "$commit" | tar -x -C "$release.part"
  (cd "$release.part" && npm ci --omit=dev --no-audit --no-fund) || {
    rm -rf "$release.part"
    exit 1
  }
  # A folder by this name is a whole one.
  mv "$release.part" "$release"
}

# Also one that served before: the settings may be others now.
try() {
  (cd "$release" && node deploy/try-release.js) && return
  [[ $release == "$(readlink "$base/live")" ]] || rm -rf "$release"
  exit 1
}

# pm2's daemon outlives the release that started it, and starts workers with its own files: they must not be pruned.
keep_pm2() {
  rm -rf "$base/pm2.part"
  mkdir "$base/pm2.part"
  cp -a "$release/node_modules" "$base/pm2.part/"
  mv "$base/pm2.part" "$base/pm2"
}

# The daemon must not inherit the lock.
pm2() { "$base/pm2/node_modules/.bin/pm2" "$@" 9>&-; }

# One line each, 0 for one that is down. pm2 may print its banner, too.
worker_pids() { pm2 pid sockshootout | grep -Ex '[0-9]+' || true; }

replace() {
  local before
  before=$(readlink "$base/live" || true)
  if ! go_live "$release"; then
    if [[ -z $before ]]; then
      rm "$base/live"
      fail "The first release does not serve; see pm2's log"
    fi
    say 'The new release does not serve: going back'
    go_live "$before" || fail "Neither does $before: see pm2's log"
    [[ $before == "$release" ]] || rm -rf "$release"
    exit 1
  fi
  pm2 save --force >/dev/null
}

# In an `if`, `set -e` does not hold: each step names the next with &&.
go_live() {
  # A link is replaced at once by mv, and by ln not.
  ln -sfn "$1" "$base/live.part" && mv -T "$base/live.part" "$base/live" && start_or_reload && serves "$1"
}

start_or_reload() {
  local running
  running=$(worker_pids | wc -l)
  # Which worker owns a session depends on their number, so old and new ones cannot serve side by side.
  if ((running != 0 && running != WORKERS)); then
    say "$running workers run and $WORKERS are wanted: the site stops for a moment"
    pm2 delete sockshootout >/dev/null || return 1
  fi
  # pm2 keeps this folder's name, and so follows the link whenever it starts a worker.
  pm2 startOrReload "$base/live/ecosystem.config.js" --cwd "$base/live"
}

# pm2 says Success, too, when a new worker ended or never said that it is ready. One that crashed before may just be on
# its way up again.
serves() {
  local tries
  for ((tries = 0; tries < 20; tries++)); do
    serves_now "$1" && return
    sleep 0.25
  done
  return 1
}

serves_now() {
  local pid
  for pid in $(worker_pids); do
    [[ $(readlink "/proc/$pid/cwd") == "$1" ]] || return 1
  done
  (cd "$1" && node deploy/ask-workers.js)
}

prune() {
  local old
  # What serves is kept whatever its age: after a revert it is not the newest.
  find "$base/releases" -mindepth 1 -maxdepth 1 ! -name "$commit" -printf '%T@ %p\n' | sort -rn |
    tail -n "+$kept_releases" | cut -d ' ' -f 2- | while read -r old; do rm -rf "$old"; done
}

# pm2 has noted the commit as deployed, once more where only the settings changed: reverting must not lead to itself.
note() {
  uniq "$base/.deploys" >"$base/.deploys.part"
  mv "$base/.deploys.part" "$base/.deploys"
}

end() {
  local status=$?
  ((status != 0)) || return 0
  # Nor must it lead to what never served.
  if [[ $(tail -n 1 "$base/.deploys") == "$commit" ]]; then sed -i '$d' "$base/.deploys"; fi
  say "Not deployed: $commit. $([[ -L $base/live ]] && echo "$(basename "$(readlink "$base/live")") goes on serving")"
  exit "$status"
}

main
