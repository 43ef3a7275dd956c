# What the services share: where their state lives, which user they run as, how they are waited for and ended.

checkout=$(cd "$here/.." && pwd)
data_dir=$(realpath -m "${LATHE_DATA_DIR:-$checkout/.lathe}")
service_user=lathe-dev

say() { echo "$*"; }
die() { echo "services: $*" >&2; exit 1; }

# PostgreSQL refuses to run as root, so root lends its place to a user without rights.
as_service() {
  if [ "$(id -u)" -eq 0 ]; then runuser -u "$service_user" -- "$@"; else "$@"; fi
}

ensure_service_user() {
  [ "$(id -u)" -ne 0 ] && return
  id "$service_user" >/dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin "$service_user"
}

# A checkout in a home folder may be closed to the service user, and a socket's path may not pass 107 bytes:
# in either case the state lives in /var/tmp, and a link in the data folder leads there.
fits() { [ ${#1} -le 70 ] && as_service test -w "$1" -a -x "$1"; }

prepare_state() {
  ensure_service_user
  if ! [ -d "$data_dir/services" ]; then
    mkdir -p "$data_dir"
    rm -f "$data_dir/services"
    mkdir "$data_dir/services"
    own "$data_dir/services"
    if ! fits "$data_dir/services"; then
      local elsewhere
      elsewhere=/var/tmp/lathe-$(printf %s "$data_dir" | sha256sum | cut -c1-12)
      # Anyone can write to /var/tmp: a folder someone else put there is not ours to use.
      if [ -e "$elsewhere" ] || [ -L "$elsewhere" ]; then
        [ "$(stat -c %U "$elsewhere")" = "$(service_name)" ] || die "$elsewhere belongs to someone else"
      else
        mkdir -m 0755 "$elsewhere"
        own "$elsewhere"
      fi
      rmdir "$data_dir/services"
      ln -s "$elsewhere" "$data_dir/services"
    fi
  fi
  find_state
  fits "$state" || die "$state cannot be used by $(service_name)"
}

own() {
  if [ "$(id -u)" -eq 0 ]; then chown "$service_user": "$1"; fi
}

service_name() {
  if [ "$(id -u)" -eq 0 ]; then echo "$service_user"; else id -un; fi
}

find_state() {
  state=$(realpath -m "$data_dir/services")
  # Daemons start from here: the caller's folder may be closed to the service user.
  if [ -d "$state" ]; then cd "$state"; fi
}

# Two callers must not start or end the same service at once. Daemons are started with descriptor 9 closed,
# else they would keep the lock for as long as they live.
lock_state() {
  [ -d "$state" ] || return 0
  exec 9>>"$data_dir/services.lock"
  flock -w 180 9 || die "another caller has held $data_dir/services.lock for 180 s"
}

# Runs a daemon's starter with nothing of the caller's terminal or pipes in its hands.
launch() {
  local log=$1
  shift
  as_service "$@" </dev/null >>"$log" 2>&1 9>&- || {
    tail -n 20 "$log" >&2
    die "could not start: $* (see $log)"
  }
}

# wait_until SECONDS WHAT COMMAND...
wait_until() {
  local limit=$1 what=$2 begun=$SECONDS
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $((SECONDS - begun)) -lt "$limit" ] || die "waited $limit s for $what"
    sleep 0.1
  done
}

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

refuse_taken_port() {
  if answers "$1"; then die "port $1 is taken by someone else; choose another with $2"; fi
}

# alive PID_FILE PROGRAM: a number left by a reboot may belong to a stranger, so the program's name counts too.
alive() {
  local pid
  pid=$(head -n 1 "$1" 2>/dev/null) || return 1
  [ -n "$pid" ] && [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$2" ]
}

gone() { ! alive "$1" "$2"; }

# end PID_FILE PROGRAM: asks politely, insists after 20 s.
end() {
  alive "$1" "$2" || return 0
  local pid
  pid=$(head -n 1 "$1")
  kill -TERM "$pid"
  if ! (wait_until 20 "$2 to stop" gone "$1" "$2") 2>/dev/null; then
    kill -KILL "$pid"
    wait_until 10 "$2 to die" gone "$1" "$2"
  fi
}
