#!/usr/bin/env bash
# Reviews a change in a job: what action.yml runs, and jobs elsewhere. The inputs
# are in the environment, INPUT_…, and are never part of a command line that a
# shell reads. The reports are written to INPUT_REPORTS.
#
# Without a snapshot the manifests are compared with the commit that the change
# starts from, and what judges the change is that of this commit.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
threeway=$("$here/install.sh")

cd "${INPUT_WORKING_DIRECTORY:-.}"
reports=${INPUT_REPORTS:-threeway-reports}
if [ -L "$reports" ] || [ ! -d "$reports" ]; then
  rm -f "$reports" # a change may bring a link to elsewhere, or a file
fi
mkdir -p "$reports"
rm -rf "$reports"/{comment.md,threeway.sarif,junit.xml,review.html,verdict.json,entries.json,code-quality.json,annotations} # of an earlier step, or of the change

command=${INPUT_COMMAND:-review}
written=("$command" --color never -o text -o "markdown=$reports/comment.md" -o "sarif=$reports/threeway.sarif" -o "junit=$reports/junit.xml")
if [ "$command" = review ]; then
  written+=(-o "html=$reports/review.html" -o "guard=$reports/verdict.json")
fi
if [ -n "${GITLAB_CI:-}" ]; then
  written+=(-o "gitlab=$reports/code-quality.json")
fi
if [ -n "${GITHUB_ACTIONS:-}" ]; then
  written+=(-o "github=$reports/annotations")
fi

# each FLAG INPUT adds the flag for every line of an input that is not blank; with
# an empty FLAG the line itself.
each() {
  local line
  while IFS= read -r line; do
    if [ -n "${line//[[:space:]]/}" ]; then
      args+=(${1:+"$1"} "$line")
    fi
  done <<<"$2"
}

# git runs at the top of the clone: a change may make of any other directory a bare
# repository, whose configuration names programs. Commits are those that they say.
git() {
  local top=$PWD
  while [ ! -e "$top/.git" ] && [ -n "$top" ]; do
    top=${top%/*}
  done
  GIT_NO_REPLACE_OBJECTS=1 command git -C "${top:-/}" "$@"
}

# start prints the commit that the change starts from, if the job knows it.
start() {
  local parents
  parents=$(git cat-file -p HEAD 2>/dev/null | sed -n '/^$/q; s/^parent //p' || true)
  case ${GITHUB_REF:-}:${CI_MERGE_REQUEST_EVENT_TYPE:-} in
  refs/pull/*/merge:* | *:merged_result | *:merge_train)
    # The service has merged the change into its target, which is the first parent.
    if [ "$(git rev-parse HEAD)" = "${GITHUB_SHA:-${CI_COMMIT_SHA:-}}" ] && [ "$(wc -l <<<"$parents")" -eq 2 ]; then
      head -n 1 <<<"$parents"
      return
    fi
    ;;
  esac
  local base=${INPUT_BASE_SHA:-${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}}
  if [[ $base =~ ^0*$ ]]; then
    return
  fi
  git merge-base "$base" HEAD 2>/dev/null || echo "$base"
}

# fetch gets the files of one commit, if the clone is too shallow to have them.
fetch() {
  if ! git cat-file -e "$1^{commit}" 2>/dev/null && ! from_origin 1 "$1"; then
    echo "threeway: $1, where the change starts, cannot be fetched; check out the whole history" >&2
    exit 2
  fi
}

# from_origin fetches with the token of the job, if git has none.
from_origin() {
  if [ -n "${INPUT_TOKEN:-}" ] && [ -n "${GITHUB_ACTIONS:-}" ] && ! git config --get-regexp '^http\..*\.extraheader$' >/dev/null; then
    export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.${GITHUB_SERVER_URL:-https://github.com}/.extraheader"
    GIT_CONFIG_VALUE_0="AUTHORIZATION: basic $(printf 'x-access-token:%s' "$INPUT_TOKEN" | base64 | tr -d '\n')"
    export GIT_CONFIG_VALUE_0
  fi
  local code=0
  git fetch --quiet --no-tags --depth "$1" origin "$2" >&2 || code=$?
  unset GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0
  return "$code"
}

# entries BASE: a line of JSON for each entry of a merge queue since the commit that the
# batch starts from, answered for alone: it is put onto that commit. The review is about
# all of them together. An entry that does not fit alone is answered for with those
# before it.
entries() {
  local commit onto entry answer dir top
  top=$(git rev-parse --show-toplevel)
  dir=$(mktemp -d)
  onto=(command git -C "$dir/entry" -c core.hooksPath=/dev/null -c user.name=threeway -c user.email=threeway@example.com)
  for commit in $(git rev-list --first-parent --reverse "$1..HEAD"); do
    git worktree add --quiet --detach "$dir/entry" "$1"
    entry=(cherry-pick --allow-empty)
    if git rev-parse --quiet --verify "$commit^2" >/dev/null; then
      entry+=(-m 1)
    fi
    if ! "${onto[@]}" "${entry[@]}" "$commit" >/dev/null 2>&1; then
      "${onto[@]}" checkout --quiet --force --detach "$commit"
    fi
    answer=$(cd "$dir/entry/${PWD#"$top"}" && "$threeway" review --color never --quiet -o guard "${args[@]}" 2>/dev/null) || true
    jq -nc --arg commit "$commit" --arg subject "$(git log -1 --format=%s "$commit")" --arg answer "$answer" \
      '($answer | try fromjson catch {verdict: "unknown", text: "no answer"}) | {commit: $commit, subject: $subject, verdict, text}'
    git worktree remove --force "$dir/entry"
  done
  rm -rf "$dir"
}

settings() { "$threeway" config verify ${INPUT_CONFIG:+"$INPUT_CONFIG"} 2>/dev/null || true; }

# What judges a change must not be part of it: settings, snapshots, baseline, own
# rules and suppressions count as they are where the change starts.
trust=
commit=$(start)
if [ -n "$commit" ]; then
  fetch "$commit"
  trust=git:$commit
elif [[ ${INPUT_BASE:-} == git:* ]]; then
  trust=$INPUT_BASE
elif [ -z "${INPUT_MANIFESTS:-}${INPUT_CONFIG:-}${INPUT_FLAGS:-}" ] && [ -z "$(settings)" ]; then
  # A repository without settings is looked through for manifests.
  "$threeway" config init --no-schema || true # another error than that they are there is one of the review, too
fi

args=()
each --trust "$trust"
each --filename "${INPUT_MANIFESTS:-}"
if [ -n "${INPUT_MANIFESTS:-}" ]; then
  args+=(--recursive)
fi
each --live "${INPUT_LIVE:-}"
each --base "${INPUT_BASE:-}"
each --config "${INPUT_CONFIG:-}"
each --kubernetes-version "${INPUT_KUBERNETES_VERSION:-}"
each --fail-on "${INPUT_FAIL_ON:-}"
each "" "${INPUT_FLAGS:-}"

if [ -n "${INPUT_KEY:-}" ]; then
  export THREEWAY_KEY=$INPUT_KEY
fi
export THREEWAY_MAX_TIME=${INPUT_MAX_TIME:-600}
# A runner takes lines of a log for commands, and messages repeat what manifests
# say. Until it sees a word that cannot be guessed, it takes none; annotations are
# escaped.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
code=0
if [ -n "${GITHUB_ACTIONS:-}" ]; then
  echo "::stop-commands::$token"
fi
"$threeway" "${written[@]}" "${args[@]}" 2>&1 || code=$?
if [ -n "${GITHUB_ACTIONS:-}" ]; then
  echo
  echo "::$token::"
  if [ -f "$reports/annotations" ]; then
    cat "$reports/annotations"
  fi
fi

# A batch of several entries: those of a merge group, or of a merge train.
batch=
case ${GITHUB_EVENT_NAME:-}:${CI_MERGE_REQUEST_EVENT_TYPE:-} in
merge_group:*) batch=$commit ;;
*:merge_train) batch=${CI_MERGE_REQUEST_TARGET_BRANCH_SHA:-} ;;
esac
if [ -n "$batch" ] && [ "$command" = review ]; then
  git merge-base --is-ancestor "$batch" HEAD 2>/dev/null || from_origin 200 "$(git rev-parse HEAD)" || true
  if [ "$(git rev-list --first-parent --count "$batch..HEAD" 2>/dev/null || echo 0)" -gt 1 ]; then
    entries "$batch" >"$reports/entries.json"
    jq -r '"alone: \(.verdict) \(.commit[:12])"' "$reports/entries.json"
  fi
fi

if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$reports/comment.md" ]; then
  cat "$reports/comment.md" >>"$GITHUB_STEP_SUMMARY"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  {
    echo "exit-code=$code"
    if [ -f "$reports/threeway.sarif" ]; then
      echo "reports=$(cd "$reports" && pwd)"
      echo "sarif=$(cd "$reports" && pwd)/threeway.sarif"
    fi
    if [ -f "$reports/verdict.json" ]; then
      echo "verdict=$(jq -r .verdict "$reports/verdict.json")"
    fi
  } >>"$GITHUB_OUTPUT"
fi
exit "$code"
