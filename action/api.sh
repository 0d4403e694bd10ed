# shellcheck shell=bash disable=SC2154 # authorization and scheme are set by who reads this
# What comment.sh and check.sh share: calls of the API of GitHub or GitLab with
# INPUT_TOKEN. What cannot be done is a warning that begins with $failed: the review
# itself has been printed.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A runner takes "::" at the beginning of a line for a command, so that what others
# say is one line that begins with our words.
warn() {
  local prefix="warning: "
  if [ -n "${GITHUB_ACTIONS:-}" ]; then
    prefix="::warning title=threeway::"
  fi
  echo "${prefix}$failed: $(tr -d '\r\n' <<<"$*")"
  exit 0
}

# call METHOD URL [BODY]: writes the answer to $work/answer. The token is in no
# command line. What creates is not tried twice: it would be there twice.
call() {
  local status retry=3
  if [ "$1" = POST ] && [[ $2 != */graphql ]]; then
    retry=0
  fi
  status=$(curl --silent --show-error --request "$1" --retry "$retry" --max-time 60 --output "$work/answer" --write-out '%{http_code}' \
    --config <(printf 'header = "%s: %s"\n' "$authorization" "${scheme}$INPUT_TOKEN") \
    --header 'Content-Type: application/json' ${3:+--data-binary "@$3"} "$2" 2>"$work/error") || warn "$(head -n 1 "$work/error")"
  if [[ $status != 2* ]]; then
    warn "$1 ${2%%\?*} answers $status: $(jq -r '.message // .error // "" | tostring' "$work/answer" 2>/dev/null | head -c 300)"
  fi
}

answer() { jq -r "$@" "$work/answer"; }
