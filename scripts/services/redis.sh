# Redis without persistence: Lathe keeps only hints in it.

redis_port=${LATHE_REDIS_PORT:-63799}

redis_address() { echo "redis://127.0.0.1:$redis_port"; }

redis_running() { alive "$state/redis/redis.pid" redis-server; }

redis_start() {
  command -v redis-server >/dev/null || die "Redis is not installed; run: npm run setup"
  refuse_taken_port "$redis_port" LATHE_REDIS_PORT
  local home=$state/redis
  as_service mkdir -p "$home"
  # BullMQ asks for noeviction: an evicted key would be a lost entry.
  launch "$state/redis.log" redis-server --bind 127.0.0.1 --port "$redis_port" --dir "$home" --save '' --appendonly no \
    --maxmemory-policy noeviction --daemonize yes --pidfile "$home/redis.pid" --logfile "$home/redis-server.log"
  wait_until 20 "Redis to answer" redis_ready
}

redis_ready() { redis-cli -h 127.0.0.1 -p "$redis_port" ping | grep -q PONG; }

redis_stop() { end "$state/redis/redis.pid" redis-server; }
