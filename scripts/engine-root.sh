#!/usr/bin/env bash
# Builds the engine root: a read-only Debian 13 file tree, the only thing an engine can see.
#
#   engine-root.sh            builds the root of this checkout if it is missing, then points `current` at it
#   engine-root.sh --refresh  builds it again, with the packages the archive has now, and points `current` at it
#   engine-root.sh --print    prints the root's path and builds nothing; fails if there is none
#   engine-root.sh --debian FOLDER
#                             fills the folder with the minimal Debian that roots and images begin with, and builds no root
#   --families media,browser  alone or after --print or --refresh: a smaller root with what these engine families need, as in the images
#
# A root is named RECIPE-VERSIONS: the hash of what it is made from, and the hash of the package versions that this came to.
# It is built once and never changed. The recipe is known before a build, so a root that another machine has built is
# used as it is, whatever its versions; the newest one is taken. The manifest lists the versions.
#   LATHE_ENGINE_ROOTS    where roots are kept (default /var/lib/lathe/engine-roots)
#   LATHE_DEBIAN_MIRROR   the archive to build from, where the host's own apt names none
#   LATHE_DEBIAN_SECURITY_MIRROR   the same for security updates, without which no root is built
#   LATHE_DEBIAN_TREE     a folder with a minimal Debian 13 to copy instead of running debootstrap, as in image builds
#   SOURCE_DATE_EPOCH     the time that all files of an image get, in seconds
set -euo pipefail

version=1
suite=trixie
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
checkout=$(dirname "$here")
data=$here/engine-root
roots=${LATHE_ENGINE_ROOTS:-/var/lib/lathe/engine-roots}
# The npm package holds the real binary; .bin is a link to it.
node=$(readlink -f "$checkout/node_modules/.bin/node")

say() { printf 'engine root: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

action=build
case ${1:-} in --print | --refresh) action=${1#--} && shift ;; esac
families=''
[ "${1:-}" != --debian ] || action=debian
[ "${1:-}" != --families ] || families=${2//,/ }

# The entries of a list; of those families only, if some are named. A line `# families: ...` is about all that follow it;
# `# also: ...` names what the whole root gets along with other packages.
entries() {
  awk -v wanted="$families" '
    /^# families:/ { chosen = 0; for (i = 3; i <= NF; i++) if (index(" " wanted " ", " " $i " ")) chosen = 1 }
    /^# also:/ && wanted != "" && chosen { print $3 }
    { sub(/#.*/, "") }
    NF && (wanted == "" || chosen)' "$1"
}

[ -x "$node" ] || fail 'the checkout has no Node: run npm ci and scripts/setup.sh node first'
node_version=$("$node" --version)
packages=$(entries "$data/packages.txt" | sort)
# shellcheck disable=SC2046  # one word a package name
modules=$("$node" "$data/list-modules.mjs" "$checkout" $(entries "$data/modules.txt"))
arch=$(dpkg --print-architecture)
waiting=$data/await-arguments.c
recipe=$({ printf '%s\n' "$version" "$suite" "$arch" "$node_version" "$packages" "$modules" && cat "$waiting"; } | sha256sum | cut -c 1-16)
# Raise it when `trim` or `fix_times` changes.
trimming=3
[ -z "$families" ] || recipe=$(tr ' ' - <<<"$families")-$({ echo "$recipe $trimming" && cat "$data/unused.txt"; } | sha256sum | cut -c 1-16)

# The newest root of this recipe, by when it was built or found to be up to date; nothing if there is none. Roots of before
# versions were part of the name have the recipe alone.
find_root() {
  local manifest newest=''
  for manifest in "$roots/$recipe"/manifest.json "$roots/$recipe"-*/manifest.json; do
    [ -e "$manifest" ] || continue
    if [ -z "$newest" ] || [ "$manifest" -nt "$newest" ]; then newest=$manifest; fi
  done
  [ -z "$newest" ] || dirname "$newest"
}

# Every package with its version, a line each.
versions_of() { # folder
  # shellcheck disable=SC2016  # dpkg fills the fields
  dpkg-query --admindir="$1/var/lib/dpkg" -W -f '${Package} ${Version}\n' | LC_ALL=C sort
}

# Every package with the name and version of its source, by which vulnerabilities are published.
sources_of() { # folder
  # shellcheck disable=SC2016  # dpkg fills the fields
  dpkg-query --admindir="$1/var/lib/dpkg" -W -f '${Package} ${source:Package} ${source:Version}\n' | LC_ALL=C sort
}

# The suite's release file is asked of the archive this host already trusts, so no address is written here.
find_mirror() { # kind: '' or '-security'
  local codename
  codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  # shellcheck disable=SC2016  # apt fills the fields, not the shell
  apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk -v release="$codename$1" '$1 == release && $2 == "main" && !seen++ { print $3 }'
}

# The key ring the host's apt names for that archive, in either form of its source files.
find_keyring() { # mirror
  local bare=${1%/}
  {
    find /etc/apt -maxdepth 2 -name '*.sources' -exec cat {} + 2>/dev/null |
      awk -v RS='' -v uri="$bare" 'index($0, uri) { n = split($0, lines, "\n"); for (i = 1; i <= n; i++)
        if (tolower(lines[i]) ~ /^signed-by:/) { sub(/^[^:]*:[ \t]*/, "", lines[i]); print lines[i] } }'
    find /etc/apt -maxdepth 2 -name '*.list' -exec cat {} + 2>/dev/null |
      awk -v uri="$bare" 'index($0, uri)' | sed -n 's/.*signed-by=\([^] ]*\).*/\1/p'
  } | awk '/^\// && !seen++ { print $1 }'
}

fill_with_debian() { # folder
  if [ -n "${LATHE_DEBIAN_TREE:-}" ]; then
    cp -a "$LATHE_DEBIAN_TREE/." "$1"
    cp --remove-destination /etc/resolv.conf "$1/etc/"
    # A tree that was an image has no devices.
    [ -e "$1/dev/null" ] || { mknod -m 666 "$1/dev/null" c 1 3 && mknod -m 666 "$1/dev/urandom" c 1 9; }
  else
    bootstrap "$1"
  fi
  install_packages "$1"
}

bootstrap() { # folder
  local into=$1 mirror security keyring proxy=''
  mirror=${LATHE_DEBIAN_MIRROR:-$(find_mirror '')}
  security=${LATHE_DEBIAN_SECURITY_MIRROR:-$(find_mirror -security)}
  [ -n "$mirror" ] || fail "apt names no Debian archive for this release: set LATHE_DEBIAN_MIRROR"
  # Engines read files of strangers: a root without security updates is not built at all.
  [ -n "$security" ] || fail "no archive of security updates for this release: name one to apt, or set LATHE_DEBIAN_SECURITY_MIRROR"
  keyring=$(find_keyring "$mirror")
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  [ -z "$proxy" ] || export http_proxy=$proxy

  debootstrap --variant=minbase --force-check-gpg ${keyring:+--keyring="$keyring"} "$suite" "$into" "$mirror" >&2
  {
    echo "deb $mirror $suite main"
    echo "deb $security $suite-security main"
  } >"$into/etc/apt/sources.list"
  [ -z "$proxy" ] || echo "Acquire::http::Proxy \"$proxy\";" >"$into/etc/apt/apt.conf.d/99proxy"
}

# Engines read files of strangers: a root without security updates is not built, whatever tree it begins with.
check_security() { # folder
  local releases
  # shellcheck disable=SC2016  # apt fills the fields
  releases=$(chroot "$1" apt-get indextargets --format '$(RELEASE) $(CODENAME)' 'Created-By: Packages' | tr ' ' '\n')
  grep -qxF -- "$suite-security" <<<"$releases" ||
    fail "the Debian tree names no archive of security updates: add $suite-security to its sources"
}

install_packages() { # folder
  local into=$1
  # No service may start while packages are set up in somebody else's root.
  printf '#!/bin/sh\nexit 101\n' >"$into/usr/sbin/policy-rc.d" && chmod 755 "$into/usr/sbin/policy-rc.d"
  export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
  # Without the option, apt goes on with the lists that it could fetch.
  chroot "$into" apt-get -qq -o APT::Update::Error-Mode=any update >&2
  check_security "$into"
  chroot "$into" apt-get -qq -y dist-upgrade >&2
  # shellcheck disable=SC2086  # one word a package
  chroot "$into" apt-get -qq -y install --no-install-recommends $packages >&2
  chroot "$into" fc-cache --system-only >&2
}

# Packages come along that no engine links or runs. Only roots of images leave them out: what is downloaded counts there.
trim() { # folder
  local into=$1 package present=()
  for package in $(entries "$data/unused.txt"); do
    chroot "$into" dpkg-query --status "$package" >/dev/null 2>&1 && present+=("$package")
  done
  [ ${#present[@]} -eq 0 ] ||
    chroot "$into" dpkg --purge --force-depends --force-remove-essential --force-remove-protected "${present[@]}" >&2
  rm -rf "$into"/usr/share/{doc,man,info,lintian,bug,help,bash-completion,gdb} "$into"/var/cache/{debconf,ldconfig}
  rm -rf "$into"/usr/lib/python3.*/{test,idlelib,ensurepip,pydoc_data}
  find "$into/usr/share/locale" -mindepth 1 -maxdepth 1 -exec rm -rf {} +
  # Drivers of graphics cards, which Chromium is started without.
  rm -f "$into"/usr/lib/chromium/{libVkICD_mock_icd,libVkLayer_khronos_validation,libvk_swiftshader}.so{,.TOC}
  rm -f "$into"/usr/lib/chromium/vk_swiftshader_icd.json
  # What only the windows of LibreOffice show: clip art, templates, and icons for dark themes and in vectors.
  rm -rf "$into"/usr/lib/libreoffice/share/{gallery,template,tipoftheday}
  rm -f "$into"/usr/{lib,share}/libreoffice/share/config/images_colibre_{dark,dark_svg,svg}.zip
  # What programmers of Perl use, and icons of a desktop.
  rm -rf "$into"/usr/lib/*/perl/5.*/CORE "$into"/usr/share/perl/5.*/{CPAN,ExtUtils,Module,Pod,TAP,Test,Test2,Unicode/Collate,pod} "$into"/usr/share/icons
  # Bold Chinese, Japanese and Korean text in drawings, watermarks and subtitles is drawn from the regular fonts, made bolder,
  # which hardly differs. Documents have a root with the bold ones.
  [ "$families" != media ] || rm -f "$into"/usr/share/fonts/opentype/noto/Noto*CJK-Bold.ttc
  # Profiles hide Ghostscript by its name, so the name must be there.
  [ -e "$into/usr/bin/gs" ] || : >"$into/usr/bin/gs"
  rm -rf "$into"/dev/*
}

# All files of an image get one time, so that equal files make equal layers. Caches that compare times would be out of date
# then: each engine that starts would read all fonts, and compile its Python again.
fix_times() { # folder
  local into=$1 folder fonts
  [ ! -x "$into/usr/bin/python3" ] ||
    chroot "$into" sh -c 'python3 -m compileall -q -f --invalidation-mode unchecked-hash /usr/lib/python3*' >&2
  fonts=$(chroot "$into" fc-cache --system-only --verbose | sed -n 's/^\(\/[^:]*\): .*/\1/p')
  for folder in $fonts; do [ ! -d "$into$folder" ] || touch --date="@${SOURCE_DATE_EPOCH:-1767225600}" "$into$folder"; done
  chroot "$into" fc-cache --system-only --force >&2
}

# The compiler comes and goes: no engine may find one.
fill_with_waiting() { # folder
  local into=$1 library=opt/lathe/lib/await-arguments.so
  mkdir -p "$into/opt/lathe/lib"
  cp "$waiting" "$into/tmp/await-arguments.c"
  chroot "$into" apt-get -qq -y install --no-install-recommends gcc libc6-dev >&2
  chroot "$into" gcc -shared -fPIC -O2 -Wall -Werror -Wl,-z,noexecstack,-z,relro,-z,now -o "/$library" /tmp/await-arguments.c
  # Its parts are what other packages suggest, which is a reason for apt to keep them.
  chroot "$into" apt-get -qq -y purge --autoremove -o APT::AutoRemove::SuggestsImportant=false gcc libc6-dev binutils >&2
  rm "$into/tmp/await-arguments.c"
}

fill_with_runner_parts() { # folder
  local into=$1/opt/lathe folder
  mkdir -p "$into/bin" "$into/node_modules" "$into/runners"
  install -m 755 "$node" "$into/bin/node"
  while read -r folder _; do
    # A nested package came along with the one that holds it.
    [ -e "$into/$folder" ] && continue
    mkdir -p "$(dirname "$into/$folder")"
    cp -rL "$checkout/$folder" "$into/$folder"
  done <<<"$modules"
  # For people who write code.
  find "$into/node_modules" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
  chmod -R u=rwX,go=rX "$into"
}

# What the build left of this host and of itself; nothing an engine may learn from or run as root.
clean() { # folder
  rm -rf "$1"/var/lib/apt/lists "$1"/var/cache/apt "$1"/var/log "$1"/etc/apt "$1"/usr/sbin/policy-rc.d
  rm -f "$1"/etc/resolv.conf "$1"/etc/hostname "$1"/etc/hosts "$1"/etc/shadow* "$1"/etc/gshadow*
  find "$1" -xdev -type f -perm /6000 -exec chmod u-s,g-s {} +
  printf 'nobody:x:65534:65534::/tmp:/usr/sbin/nologin\n' >"$1/etc/passwd"
  printf 'nogroup:x:65534:\n' >"$1/etc/group"
}

# A package may leave out what another used to bring along: better no root than one that ends over ordinary files.
check_parts() { # folder
  local part missing=''
  while read -r part; do
    [ -e "$1/$part" ] || missing+=" $part"
  done < <(entries "$data/required.txt")
  [ -z "$missing" ] || fail "the packages lack parts that conversions need:$missing"
}

write_manifest() { # folder name
  local up_to_date_at
  up_to_date_at=$("$node" "$data/newest-package.mjs" "$1" ${LATHE_DEBIAN_TREE:+"$LATHE_DEBIAN_TREE"})
  {
    printf '{\n  "name": "%s",\n  "recipe": "%s",\n  "upToDateAt": "%s",\n' "$2" "$recipe" "$up_to_date_at"
    printf '  "version": %s,\n  "suite": "%s",\n  "architecture": "%s",\n' "$version" "$suite" "$arch"
    [ -z "$families" ] || printf '  "families": ["%s"],\n' "${families// /\", \"}"
    printf '  "node": "%s",\n  "packages": {\n' "${node_version#v}"
    versions_of "$1" | sed -E 's/^(.*) (.*)$/    "\1": "\2",/' | sed '$ s/,$//'
    printf '  },\n  "sources": {\n'
    sources_of "$1" | sed -E 's/^(.*) (.*) (.*)$/    "\1": { "name": "\2", "version": "\3" },/' | sed '$ s/,$//'
    printf '  },\n  "modules": {\n'
    sed -E 's/^node_modules\/(.*) (.*)$/    "\1": "\2",/' <<<"$modules" | sed '$ s/,$//'
    printf '  }\n}\n'
  } >"$1/manifest.json"
}

# No newer packages were found: those of the root are still up to date. A worker reads the old manifest or the new one.
mark_up_to_date() { # root
  sed -i -E "s/(\"upToDateAt\": \")[^\"]*/\1$(date -u +%FT%TZ)/" "$1/manifest.json"
}

build() {
  local work=$roots/.building-$recipe name root
  [ "$(id -u)" = 0 ] || fail "the root is missing and only root can build it: sudo bash scripts/engine-root.sh"
  [ -n "${LATHE_DEBIAN_TREE:-}" ] || command -v debootstrap >/dev/null || fail 'debootstrap is missing: apt-get install debootstrap'
  # Left by a build that was cut off; the lock says nobody is at it now.
  rm -rf --one-file-system "$work"
  mkdir -p "$work"
  say "building $roots/$recipe (a few minutes)"
  fill_with_debian "$work"
  fill_with_waiting "$work"
  if [ -n "$families" ]; then
    trim "$work"
    fix_times "$work"
  fi
  check_parts "$work"
  fill_with_runner_parts "$work"
  name=$recipe-$(versions_of "$work" | sha256sum | cut -c 1-12)
  root=$roots/$name
  write_manifest "$work" "$name"
  # The manifest says the same, and nothing is installed in a root that came with an image.
  [ -z "$families" ] || rm -rf "$work/var/lib/dpkg"
  clean "$work"
  chmod 755 "$work"
  if [ -e "$root/manifest.json" ]; then
    say "no package has changed"
    mark_up_to_date "$root"
    rm -rf --one-file-system "$work"
  else
    mv -T "$work" "$root"
  fi
}

is_current() { # root
  [ "$(readlink "$roots/current" || true)" = "$(basename "$1")" ]
}

point_current() { # root
  if is_current "$1"; then return; fi
  # Renamed into place, so that a worker starting right now finds the old root or the new one, never none.
  ln -sfn "$(basename "$1")" "$roots/.current-$$"
  mv -T "$roots/.current-$$" "$roots/current"
}

root=$(find_root)
if [ "$action" = print ]; then
  [ -n "$root" ] || fail "the root $recipe of this checkout is not built yet"
  printf '%s\n' "$root"
  exit 0
fi
if [ "$action" = debian ]; then
  bootstrap "$2"
  exit 0
fi
if [ "$action" = refresh ] || [ -z "$root" ] || ! is_current "$root"; then
  mkdir -p "$roots"
  exec 9>"$roots/.lock"
  flock 9
  # Somebody else may have built it while we waited.
  root=$(find_root)
  if [ "$action" = refresh ] || [ -z "$root" ]; then
    build
    root=$(find_root)
  fi
  point_current "$root"
fi
say "ready at $root"
