#!/usr/bin/env bash
# Installs the right Node, what Lathe needs from Debian, the engine root and the built pages. Safe to repeat; quick when all is there.
#   setup.sh [node|packages|root|web]     all when none is named; node, the root and the pages need the packages of npm
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
part=${1:-all}
case $part in all | node | packages | root | web) ;; *) echo 'setup.sh [node|packages|root|web]' >&2; exit 64 ;; esac

packages=(
  postgresql redis-server pgbouncer            # the record and the hints; a pooler for tests
  ceph-mon ceph-osd radosgw ceph-common curl   # an S3 store for tests and development
  bubblewrap iproute2                          # isolation
  debootstrap debian-archive-keyring gpgv      # the tree engines see, from packages with verified signatures
  openssh-server nginx-light                   # an SFTP server and a proxy for tests
  prometheus                                   # promtool, which checks and tries the rules
  faketime wrk procps zzuf file                # tests of expiry, load, left-over processes, damaged and real files
  tmux zsh fish                                # a terminal and shells for tests of the command line
  chromium-headless-shell                      # a browser for tests of the pages
  python3-httpx mypy                           # tests and the type check of the Python client
  jq python3 php-cli golang-go                 # what code of the guide runs on
  ca-certificates openssl xz-utils
)

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

is_missing() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" != installed ]
}

install_packages() {
  local missing=() package
  for package in "${packages[@]}"; do
    if is_missing "$package"; then missing+=("$package"); fi
  done

  if [ ${#missing[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || { echo "setup: no apt-get here; install by hand: ${missing[*]}" >&2; exit 1; }
    echo "setup: installing ${missing[*]}"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  else
    echo "setup: all Debian packages are there"
  fi
}

# Scripts of packages do not run when they are installed (.npmrc); this one fetches the Node that the package stands for.
install_node() {
  [ -d node_modules/node ] || { echo 'setup: run npm ci first' >&2; exit 1; }
  if [ -x node_modules/node/bin/node ]; then
    echo 'setup: Node is there'
  else
    npm rebuild node --ignore-scripts=false --loglevel=error
  fi
}

case $part in all | node) install_node ;; esac
case $part in all | packages) install_packages ;; esac
case $part in all | web)
  node_modules/.bin/node scripts/web-build.ts
  node_modules/.bin/node scripts/docs-build.ts
  ;;
esac
case $part in all | root) as_root bash scripts/engine-root.sh ;; esac
echo "setup: done after $SECONDS s"
