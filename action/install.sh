#!/usr/bin/env bash
# Prints the path of a threeway to run: INPUT_BINARY, or else the released one,
# checked against the checksums of its release, or else one that is built from
# these sources. With --released it never builds, and prints nothing instead.
set -euo pipefail

home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
temp=${RUNNER_TEMP:-${TMPDIR:-/tmp}}

say() { echo "threeway: $*" >&2; }

# The version that these scripts belong to; empty before the first release.
version=${INPUT_VERSION:-}
if [ -z "$version" ] && [ -f "$home/action/release" ]; then
  version=$(cat "$home/action/release")
fi
version=${version#v}

# Where releases are: by default those of the repository that the action is from.
releases=${INPUT_RELEASES:-}
if [ -z "$releases" ] && [ -n "${INPUT_ACTION_REPOSITORY:-}" ]; then
  releases=${GITHUB_SERVER_URL:-https://github.com}/$INPUT_ACTION_REPOSITORY/releases/download
fi

platform() {
  local os arch
  case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  MINGW* | MSYS* | CYGWIN*) os=windows ;;
  *) return 1 ;;
  esac
  case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) return 1 ;;
  esac
  echo "${os}_$arch"
}

download() { curl --fail --silent --show-error --location --retry 3 --max-time 120 --output "$2" "$1"; }

sum() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1; }

# released unpacks the released binary into a directory of this run, and prints its
# path. The cache keeps the archive, which others may have written since: its checksum
# is compared every time. It returns 1 if there is no release, and ends the program if
# the archive is not what it should be.
released() {
  local platform suffix=tar.gz binary=threeway archive cache work got='' want
  platform=$(platform) && [ -n "$version" ] && [ -n "$releases" ] || return 1
  case $platform in windows_*) suffix=zip binary=threeway.exe ;; esac
  archive=threeway_${version}_$platform.$suffix
  cache=${RUNNER_TOOL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}}/threeway/$version
  work=$(mktemp -d "$temp/threeway.XXXXXX")
  if [ -z "${INPUT_CHECKSUM:-}" ] && ! download "$releases/v$version/checksums.txt" "$work/checksums.txt"; then
    say "release $version cannot be downloaded from $releases"
    return 1
  fi
  want=${INPUT_CHECKSUM:-$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$work/checksums.txt")}
  if [ -f "$cache/$archive" ]; then
    cp "$cache/$archive" "$work/$archive"
    got=$(sum "$work/$archive")
    if [ "$got" != "$want" ]; then
      say "$cache/$archive has the checksum $got instead of ${want:-one in checksums.txt}; it is downloaded again"
    fi
  fi
  if [ "$got" != "$want" ] || [ -z "$got" ]; then
    if ! download "$releases/v$version/$archive" "$work/$archive"; then
      say "release $version cannot be downloaded from $releases"
      return 1
    fi
    got=$(sum "$work/$archive")
    if [ "$got" != "$want" ]; then
      say "$archive has the checksum $got instead of ${want:-one in checksums.txt}; it is not run"
      exit 3
    fi
    mkdir -p "$cache"
    cp "$work/$archive" "$cache/$archive"
  fi
  case $suffix in
  zip) unzip -q "$work/$archive" "$binary" -d "$work" ;;
  *) tar -xzf "$work/$archive" -C "$work" "$binary" ;;
  esac
  rm -f "$work/$archive" "$work/checksums.txt"
  chmod +x "$work/$binary"
  echo "$work/$binary"
}

build() {
  local binary=$temp/threeway-built/threeway
  say "building it from source"
  mkdir -p "${binary%/*}"
  make --silent -C "$home" build VERSION="${version:+v$version}" >&2
  mv "$home/bin/threeway" "$binary"
  echo "$binary"
}

if [ -n "${INPUT_BINARY:-}" ]; then
  echo "$INPUT_BINARY"
  exit
fi
found=
code=0
found=$(released) || code=$?
if [ "$code" = 3 ]; then
  exit 3
elif [ "$code" = 0 ]; then
  echo "$found"
elif [ "${1:-}" != --released ]; then
  build
fi
