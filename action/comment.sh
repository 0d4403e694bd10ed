#!/usr/bin/env bash
# comment.sh FILE [LINK]: posts a Markdown file as a comment on the pull request of
# GitHub, or as a note on the merge request of GitLab, that the job runs for; if this
# account has posted one under the same INPUT_NAME before, that one is replaced.
# INPUT_TOKEN may write comments. Needs curl and jq.
set -euo pipefail

file=$1 link=${2:-}
name=${INPUT_NAME:-threeway}
marker="<!-- threeway: ${name//[^A-Za-z0-9 ._\/-]/} -->"
failed="the comment was not posted"
# shellcheck source=action/api.sh
source "$(dirname "${BASH_SOURCE[0]}")/api.sh"

# github finds the number of the comment; of those with the marker only one that this
# account has written, since anybody can write a marker.
github() {
  local after=null query
  # shellcheck disable=SC2016 # the dollars are GraphQL's
  query='query($owner:String!,$name:String!,$number:Int!,$after:String){repository(owner:$owner,name:$name){pullRequest(number:$number){comments(first:100,after:$after){nodes{databaseId viewerDidAuthor body} pageInfo{hasNextPage endCursor}}}}}'
  local comments='.data.repository.pullRequest.comments'
  while :; do
    jq -n --arg query "$query" --arg repository "$GITHUB_REPOSITORY" --argjson number "$INPUT_PULL_REQUEST" --argjson after "$after" \
      '{$query, variables: ($repository | split("/") | {owner: .[0], name: .[1], $number, $after})}' >"$work/query"
    call POST "${GITHUB_GRAPHQL_URL:-https://api.github.com/graphql}" "$work/query"
    if [ "$(answer "$comments == null")" = true ]; then
      warn "GitHub does not list the comments: $(answer '.errors[0].message // "unknown error"')"
    fi
    id=$(answer --arg marker "$marker" "[$comments.nodes[] | select(.viewerDidAuthor and (.body | startswith(\$marker)))][0].databaseId // empty")
    if [ -n "$id" ] || [ "$(answer "$comments.pageInfo.hasNextPage")" != true ]; then
      return
    fi
    after=$(answer "$comments.pageInfo.endCursor | tojson")
  done
}

gitlab() {
  local me page=1 url=$CI_API_V4_URL
  call GET "$url/user"
  me=$(answer .id)
  while :; do
    call GET "$notes?per_page=100&page=$page"
    # shellcheck disable=SC2016 # the dollars are jq's
    id=$(answer --arg marker "$marker" --argjson me "$me" '[.[] | select(.author.id == $me and (.body | startswith($marker)))][0].id // empty')
    if [ -n "$id" ] || [ "$(answer length)" -lt 100 ]; then
      return
    fi
    page=$((page + 1))
  done
}

if [ ! -s "$file" ]; then
  warn "there is no report"
fi
{
  echo "$marker"
  head -n 1 "$file"
  if [ -n "$link" ]; then
    printf '\n[The whole review as a page](%s)\n' "$link"
  fi
  tail -n +2 "$file"
} >"$work/body"
jq -n --rawfile body "$work/body" '{$body}' >"$work/comment"

id=
if [ -n "${GITLAB_CI:-}" ]; then
  authorization=PRIVATE-TOKEN scheme=''
  notes=$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/${CI_MERGE_REQUEST_IID:-}/notes
  if [ -z "${CI_MERGE_REQUEST_IID:-}" ] || [ -z "${INPUT_TOKEN:-}" ]; then
    warn "it needs a pipeline of a merge request, and a token in INPUT_TOKEN with the scope api"
  fi
  gitlab
  create=$notes change=$notes/$id method=PUT
else
  authorization=Authorization scheme='Bearer '
  api=${GITHUB_API_URL:-https://api.github.com}/repos/${GITHUB_REPOSITORY:-}
  if [ -z "${INPUT_PULL_REQUEST:-}" ] || [ -z "${INPUT_TOKEN:-}" ]; then
    warn "it needs a pull request, and a token that may write comments"
  fi
  github
  create=$api/issues/$INPUT_PULL_REQUEST/comments change=$api/issues/comments/$id method=PATCH
fi
if [ -n "$id" ]; then
  call "$method" "$change" "$work/comment"
  echo "threeway: the comment was replaced"
else
  call POST "$create" "$work/comment"
  echo "threeway: a comment was posted"
fi
