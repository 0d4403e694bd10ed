#!/bin/sh
# A hook that asks threeway guard before an agent runs a command of kubectl, helm or
# kustomize: PreToolUse of Claude Code, beforeShellExecution of Cursor. Its arguments are
# flags of threeway guard: --live snapshot.yaml. It needs jq. See docs/agents.md.
command -v jq >/dev/null || {
	echo "agent-hook.sh needs jq" >&2
	exit 2 # which blocks the command
}
input=$(cat)
command=$(printf %s "$input" | jq -r '.tool_input.command // .command // empty') || command=kubectl # which is asked
case $command in
*kubectl* | *helm* | *kustomize*) ;;
*) exit 0 ;; # nothing said: the agent goes by its own rules
esac
# top prints the top of the repository of a directory.
top() (
	cd -P "$1" && while [ ! -e .git ] && [ "$PWD" != / ]; do cd -P ..; done && pwd -P
)
dir=$(printf %s "$input" | jq -r '.cwd // empty')
project=${CLAUDE_PROJECT_DIR:-$(printf %s "$input" | jq -r '.workspace_roots[]?')}
if [ -n "$dir" ] && ! cd "$dir"; then
	answer=
elif [ -n "$dir" ] && [ -n "$project" ] && ! printf '%s\n' "$project" | while IFS= read -r p; do top "$p"; done | grep -qxF "$(top .)"; then
	# An agent can make a repository with a policy and a snapshot that allow all.
	answer='{"text":"the command runs in another repository than the project, whose settings and snapshot may be anybody'"'"'s"}'
else
	answer=$(threeway guard --quiet "$@" --command "$command" 2>/dev/null </dev/null)
fi
# Whatever is no answer is asked.
printf %s "$answer" | jq -sc --arg input "$input" '
(.[0] // {}) as $a | ($input | try fromjson catch {}) as $in
| ({allow: "allow", deny: "deny"}[$a.verdict // ""] // "ask") as $decision
| ([$a.text // "threeway guard gave no answer"] + [$a.reasons[]? | "\([.code, .object // empty] | join(" ")): \(.text)"] + [$a.missing[]? | "missing: \(.needs)"] | unique_by(.) | .[:6] | join("\n")) as $why
| if $in.hook_event_name == "beforeShellExecution"
  then {permission: $decision, user_message: $why, agent_message: $why}
  else {hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: $decision, permissionDecisionReason: $why}} end' || exit 2
