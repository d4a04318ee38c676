#!/usr/bin/env bash
# A throw-away PostgreSQL for the tests: nothing is synced, everybody on 127.0.0.1 is let in.
#
#   eval "$(.ci/postgres.sh)"   installs what is missing, starts a cluster, tells the tests where it is
#   .ci/postgres.sh stop        stops it and removes its files
#
# Only the export goes to standard output. Works as root (the server then runs as "postgres") and as anybody else.
set -euo pipefail

# Root's own temporary directory may be closed to the user "postgres".
if [ "$(id -u)" = 0 ]; then temp=/tmp; else temp="${TMPDIR:-/tmp}"; fi
state="$temp/bookctl-postgres.$(id -u)"

say() { echo "postgres.sh: $*" >&2; }

find_bin() {
  local newest
  newest=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
  if [ -n "$newest" ] && [ -x "$newest/initdb" ]; then echo "$newest"
  elif command -v initdb >/dev/null; then dirname "$(command -v initdb)"
  fi
}

install() {
  say 'installing postgresql'
  export DEBIAN_FRONTEND=noninteractive
  {
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends postgresql-common
    # The server's package would make and start a cluster of its own, which nobody here needs.
    sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
    apt-get install -y -qq --no-install-recommends postgresql
  } >&2 </dev/null
}

# PostgreSQL refuses to run as root.
as_server() {
  if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

free_port() {
  local port
  for _ in $(seq 50); do
    port=$((20000 + RANDOM % 20000))
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then echo "$port"; return; fi
  done
  say 'no free port found'; return 1
}

start() {
  local bin dir port
  if [ -f "$state/url" ] && as_server "$state/bin/pg_ctl" -D "$state/data" status >/dev/null 2>&1; then
    echo "export BOOKCTL_TEST_POSTGRES=$(cat "$state/url")"
    return
  fi
  rm -rf "$state"
  bin=$(find_bin)
  if [ -z "$bin" ]; then install; bin=$(find_bin); fi
  [ -n "$bin" ] || { say 'PostgreSQL is not installed'; exit 1; }

  mkdir -m 755 "$state"
  ln -s "$bin" "$state/bin"
  dir="$state/data"
  mkdir -m 700 "$dir"
  if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
  as_server "$bin/initdb" --no-sync --auth=trust --username=postgres --encoding=UTF8 --locale=C -D "$dir" >&2
  for _ in 1 2 3; do # another process may take the port between the look and the start
    port=$(free_port)
    if as_server "$bin/pg_ctl" -D "$dir" -w -t 30 -l "$dir/log" -o "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories='' \
      -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=64MB" start >&2 </dev/null
    then
      echo "postgres://postgres@127.0.0.1:$port/postgres" >"$state/url"
      echo "export BOOKCTL_TEST_POSTGRES=$(cat "$state/url")"
      return
    fi
  done
  cat "$dir/log" >&2
  exit 1
}

stop() {
  if [ ! -d "$state" ]; then say 'not running'; return; fi
  as_server "$state/bin/pg_ctl" -D "$state/data" -m immediate stop >&2 || true
  rm -rf "$state"
}

case "${1:-start}" in
  start) start ;;
  stop) stop ;;
  *) say 'usage: postgres.sh [start|stop]'; exit 2 ;;
esac
