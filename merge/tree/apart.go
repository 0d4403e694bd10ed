package tree

// Apart returns two objects without the fields, at any depth of objects in objects, that are
// the same in both. It changes neither.
func Apart(a, b Object) (x, y Object) {
	x, y = Object{}, Object{}
	for key, v := range a {
		w, there := b[key]
		if !there {
			x[key] = v
			continue
		}
		m, isMap := v.(map[string]any)
		n, areMaps := w.(map[string]any)
		switch {
		case Equal(v, w):
		case isMap && areMaps:
			x[key], y[key] = Apart(m, n)
		default:
			x[key], y[key] = v, w
		}
	}
	for key, w := range b {
		if _, there := a[key]; !there {
			y[key] = w
		}
	}
	return x, y
}
