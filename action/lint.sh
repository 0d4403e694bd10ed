#!/usr/bin/env bash
# What action.yml runs. Its inputs are in the environment, INPUT_…, and are never
# part of a command line that a shell reads.
set -euo pipefail

home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
temp=${RUNNER_TEMP:-$(mktemp -d)}

threeway=${INPUT_BINARY:-}
if [ -z "$threeway" ]; then
  threeway=$temp/threeway
  ref=${INPUT_REF:-}
  (cd "$home" && CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs -ldflags "-s -w -X main.version=${ref//[^A-Za-z0-9._\/-]/}" -o "$threeway" .)
fi

cd "${INPUT_WORKING_DIRECTORY:-.}"
sarif=${INPUT_SARIF_FILE:-threeway.sarif}
annotations=$temp/threeway.annotations
rm -f "$annotations" "$temp/threeway.md" # of a step before
args=(lint --color never -o "github=$annotations" -o "sarif=$sarif" -o "markdown=$temp/threeway.md")

# each FLAG INPUT adds the flag for every line of an input that is not blank.
each() {
  local line
  while IFS= read -r line; do
    if [ -n "${line//[[:space:]]/}" ]; then
      args+=("$1" "$line")
    fi
  done <<<"$2"
}
each --filename "${INPUT_MANIFESTS:-}"
if [ -n "${INPUT_MANIFESTS:-}" ]; then
  args+=(--recursive)
fi
each --live "${INPUT_LIVE:-}"
each --config "${INPUT_CONFIG:-}"
each --kubernetes-version "${INPUT_KUBERNETES_VERSION:-}"
each --fail-on "${INPUT_FAIL_ON:-}"

if [ -n "${INPUT_KEY:-}" ]; then
  export THREEWAY_KEY=$INPUT_KEY
fi
# A runner takes lines of a log for commands, and messages repeat what manifests
# say. Until it sees a word that nobody can foresee, it takes none; annotations are
# escaped.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
code=0
echo "::stop-commands::$token"
"$threeway" "${args[@]}" 2>&1 || code=$?
echo
echo "::$token::"
if [ -f "$annotations" ]; then
  cat "$annotations"
fi

if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$temp/threeway.md" ]; then
  cat "$temp/threeway.md" >>"$GITHUB_STEP_SUMMARY"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  echo "exit-code=$code" >>"$GITHUB_OUTPUT"
  if [ -f "$sarif" ]; then
    echo "sarif=$(cd "$(dirname "$sarif")" && pwd)/$(basename "$sarif")" >>"$GITHUB_OUTPUT"
  fi
fi
exit "$code"
