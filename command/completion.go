package command

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"threeway/command/run"
)

// completionScripts ask the program itself, which urfave/cli answers. It is given
// one hyphen less, because "--" alone ends the flags.
var completionScripts = map[string]string{
	"bash": `# source <(threeway completion bash)
_threeway() {
  local cur words
  cur="${COMP_WORDS[COMP_CWORD]}"
  words=("${COMP_WORDS[@]:0:$COMP_CWORD}")
  if [[ "$cur" == -* ]]; then words+=("${cur/#--/-}"); fi
  COMPREPLY=($(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur"))
}
complete -o bashdefault -o default -F _threeway threeway
`,
	"zsh": `#compdef threeway
# threeway completion zsh > "${fpath[1]}/_threeway"
_threeway() {
  local -a opts
  local cur=${words[-1]}
  if [[ "$cur" == -* ]]; then
    opts=("${(@f)$(${words[@]:0:#words[@]-1} ${cur/#--/-} --generate-bash-completion 2>/dev/null)}")
  else
    opts=("${(@f)$(${words[@]:0:#words[@]-1} --generate-bash-completion 2>/dev/null)}")
  fi
  if [[ -n "${opts[1]}" ]]; then _describe 'values' opts; else _files; fi
}
compdef _threeway threeway
`,
	"fish": `# threeway completion fish > ~/.config/fish/completions/threeway.fish
function __threeway_complete
  set -l words (commandline -opc)
  set -l cur (commandline -ct)
  if string match -q -- '-*' $cur; set words $words (string replace -r -- '^--' '-' $cur); end
  $words --generate-bash-completion 2>/dev/null
end
complete -c threeway -a '(__threeway_complete)'
`,
}

func completionCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:        "completion",
		Usage:       "print a shell completion script",
		UsageText:   "threeway completion bash|zsh|fish",
		Description: "Examples:\n  source <(threeway completion bash)\n  threeway completion zsh > \"${fpath[1]}/_threeway\"",
		Action: func(c *cli.Context) error {
			script, ok := completionScripts[c.Args().First()]
			if !ok || c.NArg() != 1 {
				return fmt.Errorf("pass one shell: bash, zsh or fish")
			}
			_, err := fmt.Fprint(p.Std.Out, script)
			return err
		},
	}
}
