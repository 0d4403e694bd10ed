#!/usr/bin/env bash
# check.sh REPORTS [LINK]: posts the answer of the guard, REPORTS/verdict.json, as a
# check on the commit INPUT_HEAD_SHA of GitHub, or as a status of the commit of
# GitLab. allow is success, deny failure; ask and unknown are INPUT_ASK, which is
# action_required, or neutral where a person approves each change anyway.
# INPUT_TOKEN may write checks. Needs curl and jq.
set -euo pipefail

reports=$1 link=${2:-}
name=${INPUT_NAME:-threeway}
failed="the check was not posted"
# shellcheck source=action/api.sh
source "$(dirname "${BASH_SOURCE[0]}")/api.sh"

# No answer is none that allows.
verdict=unknown text="there is no answer; the log of the job says why"
if [ -s "$reports/verdict.json" ]; then
  verdict=$(jq -r '.verdict | if . == "allow" or . == "ask" or . == "deny" then . else "unknown" end' "$reports/verdict.json")
  text=$(jq -r '.text | tostring | gsub("[[:cntrl:]]"; " ") | .[:200]' "$reports/verdict.json")
fi
conclusion=${INPUT_ASK:-action_required}
if [ "$conclusion" != neutral ]; then
  conclusion=action_required
fi
case $verdict in
allow) conclusion=success ;;
deny) conclusion=failure ;;
unknown) conclusion=action_required ;; # a person cannot confirm what nobody looked at
esac
# How each entry of a batch is answered for alone.
each=
if [ -s "$reports/entries.json" ]; then
  each=$(jq -rs '[group_by(.verdict)[] | "\(length) \(.[0].verdict)"] | join(", ")' "$reports/entries.json")
fi
title="$verdict: $text${each:+; each alone: $each}"

if [ -n "${GITLAB_CI:-}" ]; then
  authorization=PRIVATE-TOKEN scheme=''
  if [ -z "${CI_COMMIT_SHA:-}" ] || [ -z "${INPUT_TOKEN:-}" ]; then
    warn "it needs a pipeline, and a token in INPUT_TOKEN with the scope api"
  fi
  state=failed
  if [ "$conclusion" = success ] || [ "$conclusion" = neutral ]; then
    state=success
  fi
  jq -n --arg name "$name verdict" --arg state "$state" --arg title "$title" --arg link "$link" --arg ref "${CI_COMMIT_REF_NAME:-}" --arg pipeline "${CI_PIPELINE_ID:-}" \
    '{$name, $state, description: $title[:255]} + if $link == "" then {} else {target_url: $link} end + if $ref == "" then {} else {$ref} end + if $pipeline == "" then {} else {pipeline_id: $pipeline} end' >"$work/check"
  call POST "$CI_API_V4_URL/projects/$CI_PROJECT_ID/statuses/$CI_COMMIT_SHA" "$work/check"
else
  authorization=Authorization scheme='Bearer '
  if [ -z "${INPUT_HEAD_SHA:-}" ] || [ -z "${INPUT_TOKEN:-}" ]; then
    warn "it needs a commit in INPUT_HEAD_SHA, and a token that may write checks"
  fi
  touch "$work/none"
  summary=$reports/comment.md
  if [ ! -s "$summary" ]; then
    summary=$work/none
  fi
  jq -n --arg name "$name verdict" --arg head "$INPUT_HEAD_SHA" --arg conclusion "$conclusion" --arg title "$title" --arg link "$link" --rawfile summary "$summary" \
    '{$name, head_sha: $head, status: "completed", $conclusion, output: {$title, summary: (if $summary == "" then $title else $summary[:65000] end)}} + if $link == "" then {} else {details_url: $link} end' >"$work/check"
  call POST "${GITHUB_API_URL:-https://api.github.com}/repos/${GITHUB_REPOSITORY:-}/check-runs" "$work/check"
fi
echo "threeway: the check is $conclusion"
