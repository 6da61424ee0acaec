#!/bin/sh
# Builds the site for a web server; for cron:  */5 * * * *  /srv/site/build-cron.sh
# SITE is a clone of the site's repository, WEB is the folder the web server serves.
set -eu
SITE=${SITE:-/srv/site}
WEB=${WEB:-/srv/www}

exec 9>"$SITE/.git/build.lock"
flock -n 9 || exit 0          # the last run is not finished

cd "$SITE"
git pull --quiet --ff-only
npx cms build --quiet --publish-due --out "$WEB"
