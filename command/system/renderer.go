package system

// renderers are the command lines that render a kustomization, best first: what
// kubectl apply -k applies is what the kustomize inside of kubectl makes.
var renderers = [][]string{{"kubectl", "kustomize"}, {"kustomize", "build"}}

// Renderer is the program that renders kustomizations, with the words of its command;
// ok is false if the PATH has none.
func Renderer() (program string, words []string, ok bool) {
	for _, words := range renderers {
		if program, err := Which(words[0]); err == nil {
			return program, words[:len(words):len(words)], true
		}
	}
	return "", nil, false
}
