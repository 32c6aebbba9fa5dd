#!/usr/bin/env bash
# pm2 deploy runs this on the server once it is set up. The site's settings live beside the releases, so they outlast
# them; a file that is there is kept.
set -euo pipefail

env_file=${SHARED:?expected the folder shared of the deploy path}/env
[[ ! -e $env_file ]] || exit 0

# It may come to hold METRICS_TOKEN, JOB_SECRET or DATABASE_URL.
umask 077
cat >"$env_file" <<'EOF'
# What the site runs with; docs/configuration.md has them all. Each deployment reads this file, as bash does.
PORT=8000
#WORKERS=2
#HOST=127.0.0.1
#TRUST_PROXY=1
#PUBLIC_URL=https://example.org
#BASE_PATH=/shootout
#SOURCE_URL=https://example.org/source
#SERVER_NAME=
#SERVER_LOCATION=
#DATA_DIR=data
#DATABASE_URL=
#JOB_SECRET=
EOF
printf '  The settings of the site are in %s\n' "$env_file"
