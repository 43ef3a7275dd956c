#!/bin/bash
# Makes a cluster in an empty volume, as the image of PostgreSQL does, and serves it.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") --auth=scram-sha-256 --encoding=UTF8 \
    --locale=C.UTF-8 >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "create database $POSTGRES_DB" | postgres --single -jE postgres >/dev/null
fi
exec postgres -c listen_addresses='*'
