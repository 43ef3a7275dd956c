#!/usr/bin/env bash
# The services Lathe stands on, for development and tests, on loopback only:
#   services.sh up|down|status [postgres|redis|s3 ...]     all three when none is named
#   services.sh crash postgres                             ends it at once, as a power cut would
#   services.sh env                                        prints the addresses as shell exports
# State is in <checkout>/.lathe/services, or under LATHE_DATA_DIR. Ports: LATHE_PG_PORT, LATHE_REDIS_PORT,
# LATHE_S3_PORT, LATHE_MON_PORT. With a data folder and ports of its own, a second set runs beside the first.
# LATHE_PG_FSYNC=off makes commits quick that need not outlive a power cut.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for part in common postgres redis s3; do source "$here/services/$part.sh"; done

usage() { sed -n '2,5s/^# //p' "$here/services.sh" >&2; exit 64; }

up() {
  if "$1_running"; then say "$1: already up, $("$1_address")"; return; fi
  local started=$SECONDS
  "$1_start"
  say "$1: up after $((SECONDS - started)) s, $("$1_address")"
}

down() {
  if "$1_running"; then
    "$1_stop"
    say "$1: down"
  else
    # One of several processes may still be there after a failed start.
    ("$1_stop") >/dev/null 2>&1 || true
    say "$1: not running"
  fi
}

status() {
  if "$1_running"; then say "$1: up, $("$1_address")"; else say "$1: down"; return 3; fi
}

print_env() {
  echo "export LATHE_TEST_DATABASE_URL=$(postgres_address)"
  echo "export LATHE_TEST_REDIS_URL=$(redis_address)"
  echo "export LATHE_TEST_S3_ENDPOINT=$(s3_address)"
}

verb=${1:-}
[ $# -gt 0 ] && shift
services=("$@")
[ ${#services[@]} -gt 0 ] || services=(postgres redis s3)
for service in "${services[@]}"; do
  case $service in postgres | redis | s3) ;; *) usage ;; esac
done

case $verb in
  up) prepare_state && lock_state && for service in "${services[@]}"; do up "$service"; done ;;
  down) find_state && lock_state && for service in "${services[@]}"; do down "$service"; done ;;
  status)
    find_state
    failed=0
    for service in "${services[@]}"; do status "$service" || failed=$?; done
    exit "$failed"
    ;;
  crash) [ "${services[*]}" = postgres ] || usage; find_state && postgres_crash ;;
  env) print_env ;;
  *) usage ;;
esac
