# PostgreSQL with a cluster of its own; the system's cluster is never touched.

pg_port=${LATHE_PG_PORT:-54329}

postgres_address() { echo "postgres://lathe@127.0.0.1:$pg_port/lathe"; }

# Debian keeps the programs out of the path, one folder a version.
pg() {
  local program=$1 folder
  shift
  folder=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
  [ -x "$folder/$program" ] || die "PostgreSQL is not installed; run: npm run setup"
  as_service "$folder/$program" "$@"
}

postgres_running() { [ -d "$state/postgres/data" ] && pg pg_ctl status -D "$state/postgres/data" >/dev/null 2>&1; }

postgres_start() {
  refuse_taken_port "$pg_port" LATHE_PG_PORT
  local home=$state/postgres
  as_service mkdir -p "$home"
  # The version file is among the first things written, the configuration line the last: it marks a whole cluster.
  if ! as_service grep -qs lathe.conf "$home/data/postgresql.conf"; then
    as_service rm -rf "$home/data"
    pg initdb -D "$home/data" -U lathe --auth=trust --encoding=UTF8 --locale=C.UTF-8 >"$home.init.log" 2>&1 \
      || { cat "$home.init.log" >&2; die "initdb failed"; }
    echo "include = 'lathe.conf'" | as_service tee -a "$home/data/postgresql.conf" >/dev/null
  fi
  postgres_settings "$home" | as_service tee "$home/data/lathe.conf" >/dev/null
  # pg_ctl hands its descriptors to the server: give it none of the caller's.
  pg pg_ctl start -w -t 60 -D "$home/data" -l "$home/postgres.log" </dev/null >/dev/null 2>&1 9>&- \
    || { as_service tail -n 20 "$home/postgres.log" >&2; die "PostgreSQL did not start"; }
  pg psql -h 127.0.0.1 -p "$pg_port" -U lathe -d postgres -Atqc "select 1 from pg_database where datname = 'lathe'" \
    | grep -q 1 || pg createdb -h 127.0.0.1 -p "$pg_port" -U lathe lathe
}

postgres_settings() {
  cat <<CONF
listen_addresses = '127.0.0.1'
port = $pg_port
unix_socket_directories = '$1'
max_connections = 300
shared_buffers = '256MB'
max_wal_size = '2GB'
fsync = ${LATHE_PG_FSYNC:-on}
timezone = 'UTC'
log_timezone = 'UTC'
CONF
}

postgres_stop() { pg pg_ctl stop -w -t 60 -m fast -D "$state/postgres/data" >/dev/null; }

postgres_crash() { pg pg_ctl stop -w -t 60 -m immediate -D "$state/postgres/data" >/dev/null; }
