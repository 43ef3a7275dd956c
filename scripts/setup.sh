#!/usr/bin/env bash
# Installs what Lathe needs from Debian, then the engine root. Safe to repeat; quick when all is there.
#   setup.sh [packages|root]     both when none is named; the root needs the packages, and those of npm
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
part=${1:-all}
case $part in all | packages | root) ;; *) echo 'setup.sh [packages|root]' >&2; exit 64 ;; esac

packages=(
  postgresql redis-server                      # the record and the hints
  ceph-mon ceph-osd radosgw ceph-common curl   # an S3 store for tests and development
  bubblewrap iproute2                          # isolation
  debootstrap debian-archive-keyring gpgv      # the tree engines see, from packages with verified signatures
  openssh-server                               # an SFTP server for tests
  prometheus                                   # promtool, which checks and tries the rules
  faketime wrk procps zzuf file                # tests of expiry, load, left-over processes, damaged and real files
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

if [ "$part" != root ]; then install_packages; fi
if [ "$part" != packages ]; then as_root bash scripts/engine-root.sh; fi
echo "setup: done after $SECONDS s"
