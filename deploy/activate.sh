#!/usr/bin/env bash
# pm2 deploy runs this on the server, in the checkout that it has just reset to what is to be deployed.
#
# Nothing runs from that checkout. Each release is built and tried in a folder of its own, and only then does the link
# `live` point to it and pm2 replace the workers, one after the other. So a build that fails touches nothing that runs; a
# worker that crashes during a deployment comes back as what it was; and going back is fast, as the release before is still there.
set -euo pipefail

base=$(dirname "${SHARED:?expected the folder shared of the deploy path}")
commit=$(git rev-parse HEAD)
release=$base/releases/$commit
# What serves keeps the settings that it went live with, whatever is written into shared/env later.
live_settings=$base/live.env
new_settings=$base/next.env
readonly base commit release live_settings new_settings kept_releases=3
# Where the workers listen that run now, a line for each place; empty where none run.
held=''

main() {
  trap end EXIT
  lock
  bash deploy/check-host.sh "$base"
  take_settings
  [[ -d $release ]] || build
  find_held
  # Once for all workers, and before any of them: where it fails, what serves goes on with its store as it was. Migrations
  # only add, so what serves goes on with a store that is migrated, too.
  run_new deploy/migrate.js
  # Also a release that served before: the settings may be others now.
  # shellcheck disable=SC2086 # a word for each place
  run_new deploy/try-release.js $held
  [[ -d $base/pm2 ]] || keep_pm2
  replace
  prune
  note
  say "$commit is live"
}

say() { printf '  %s\n' "$*"; }

fail() {
  printf '  %s\n' "$*" >&2
  exit 1
}

lock() {
  exec 9>"$base/.lock"
  flock --nonblock 9 && return
  # Who has it is about to say what serves.
  trap forget EXIT
  fail 'Another deployment is under way'
}

take_settings() {
  (umask 077 && cat "$SHARED/env" >"$new_settings")
  # ecosystem.config.js would take the same, but this script counts on it, too.
  printf '\nWORKERS=${WORKERS:-%s}\n' "$(node -p 'os.availableParallelism()')" >>"$new_settings"
  # The current folder is that of a release, and what is in there goes with it: the data lie beside the releases.
  # shellcheck disable=SC2016 # to be expanded where the settings are read
  printf 'case ${DATA_DIR:=data} in /*) ;; *) DATA_DIR=%s/$DATA_DIR ;; esac\n' "$base" >>"$new_settings"
  with_settings "$new_settings" true
}

# usage: with_settings FILE COMMAND...
# In a shell of its own: what one file sets must not get to what runs with another.
with_settings() (
  set -a
  # shellcheck source=/dev/null
  . "$1"
  set +a
  "${@:2}"
)

list_places() { (cd "$release" && with_settings "$1" node deploy/list-places.js); }

find_held() {
  [[ -f $live_settings && -d $base/pm2 && -n $(worker_pids | grep -vx 0) ]] || return 0
  held=$(list_places "$live_settings")
}

build() {
  say "Building $release"
  # Left by a build that was cut off. The lock is ours, so none is under way.
  rm -rf "$base/releases/"*.part
  mkdir -p "$release.part"
  git archive "$commit" | tar -x -C "$release.part"
  (cd "$release.part" && npm ci --omit=dev --no-audit --no-fund && npm run --silent bundle) || {
    rm -rf "$release.part"
    exit 1
  }
  # A folder by this name is a whole one.
  mv "$release.part" "$release"
}

# Runs a file of the new release; where it fails, removes the release, unless it is live, and ends.
# usage: run_new FILE [ARGUMENTS...]
run_new() {
  (cd "$release" && with_settings "$new_settings" node "$@") && return
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
  if ! go_live "$release" "$new_settings"; then
    go_back "$before"
    exit 1
  fi
  mv "$new_settings" "$live_settings"
  pm2 save --force >/dev/null
}

go_back() {
  if [[ -z $1 ]]; then
    rm "$base/live"
    pm2 delete sockshootout >/dev/null || true
    fail "The first release does not answer; see pm2's log"
  fi
  say 'The new release does not answer: going back to the previous one'
  go_live "$1" "$live_settings" || exit 1
  [[ $1 == "$release" ]] || rm -rf "$release"
}

# usage: go_live RELEASE SETTINGS. In an `if`, `set -e` does not hold: each step names the next with &&.
go_live() {
  # A link is replaced at once by mv, and by ln not.
  ln -sfn "$1" "$base/live.part" && mv -T "$base/live.part" "$base/live" && make_room "$2" &&
    with_settings "$2" start_or_reload && with_settings "$2" serves "$1"
}

# Old and new workers serve side by side only at the same places: which of them owns a session depends on their number,
# and where one listens on all interfaces, none can at the same port of one of them.
make_room() {
  local running places
  running=$(worker_pids | wc -l)
  places=$(list_places "$1") || return 1
  if ((running != 0)) && [[ $places != "$held" || $(wc -l <<<"$places") != $((running + 1)) ]]; then
    say 'HOST, PORT or WORKERS has changed: the site stops for a moment'
    pm2 delete sockshootout >/dev/null || return 1
  fi
  held=$places
}

# pm2 keeps this folder's name, and so follows the link whenever it starts a worker.
start_or_reload() { pm2 startOrReload "$base/live/ecosystem.config.js" --cwd "$base/live"; }

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
  (cd "$1" && node deploy/ask-workers.js) || return 1
  for pid in $(worker_pids); do
    [[ $(readlink "/proc/$pid/cwd") == "$1" ]] || return 1
  done
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

# Nor must it lead to what never served.
forget() {
  if [[ $(tail -n 1 "$base/.deploys") == "$commit" ]]; then sed -i '$d' "$base/.deploys"; fi
}

end() {
  local status=$?
  ((status != 0)) || return 0
  forget
  rm -f "$new_settings"
  say "Not deployed: $commit. $(say_what_serves)"
  exit "$status"
}

say_what_serves() {
  local live
  live=$(readlink "$base/live") || return 0
  if with_settings "$live_settings" serves "$live" 2>/dev/null; then
    echo "$(basename "$live") is still live"
  else
    echo "$(basename "$live") does not answer either; see pm2's log"
  fi
}

main
