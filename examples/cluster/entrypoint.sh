#!/bin/sh
# Starts a cluster, then the command of the container. SANDBATCH_SITE and SANDBATCH_OPTIONS choose it.
set -e
# Options are separate words.
# shellcheck disable=SC2086
lines=$(sandbatch cluster up --site "${SANDBATCH_SITE:-lab}" --parent $$ ${SANDBATCH_OPTIONS:-})
eval "$lines"
exec "$@"
