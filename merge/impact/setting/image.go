package setting

import (
	"slices"
	"strconv"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Image is the name of an image, taken apart.
type Image struct{ Registry, Repository, Tag, Digest string }

// ParseImage takes the name of an image apart. What is left out is what a container
// runtime puts in: docker.io, and library/ before a name of one part; a tag or
// digest that is left out is empty.
//
// Source: splitDockerDomain of github.com/distribution/reference.
func ParseImage(name string) (i Image) {
	pinned := name[len(Repository(name)):]
	name = strings.TrimSuffix(name, pinned)
	i.Tag, i.Digest, _ = strings.Cut(strings.TrimPrefix(pinned, ":"), "@")
	registry, repository, parts := strings.Cut(name, "/")
	if !parts || !strings.ContainsAny(registry, ".:") && registry != "localhost" && strings.ToLower(registry) == registry {
		registry, repository = "docker.io", name
	}
	if registry == "index.docker.io" {
		registry = "docker.io"
	}
	if registry == "docker.io" && !strings.Contains(repository, "/") {
		repository = "library/" + repository
	}
	i.Registry, i.Repository = registry, repository
	return i
}

// Repository is an image without its tag and digest.
func Repository(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if colon := strings.LastIndex(image, ":"); colon > strings.LastIndex(image, "/") {
		return image[:colon]
	}
	return image
}

// Owner is the registry with the first part of the repository, unless that is all of it.
func (i Image) Owner() string {
	owner, _, owned := strings.Cut(i.Repository, "/")
	if !owned {
		return i.Registry
	}
	return i.Registry + "/" + owner
}

// Moving reports whether the image may be another one tomorrow: nothing pins it, or a tag without a
// number, such as latest, main or stable.
func (i Image) Moving() bool { return i.Digest == "" && !strings.ContainsAny(i.Tag, "0123456789") }

// version is what a tag begins with as numbers, and the rest of it without any: of v1.25.3-alpine3.20 1, 25 and 3, and
// v-alpine.
func (i Image) version() (numbers []int, rest string) {
	tag := strings.TrimPrefix(i.Tag, "v")
	end := len(tag) - len(strings.TrimLeft(tag, "0123456789."))
	for _, n := range strings.Split(strings.Trim(tag[:end], "."), ".") {
		number, err := strconv.Atoi(n)
		if err != nil {
			return nil, i.Tag
		}
		numbers = append(numbers, number)
	}
	without := func(r rune) rune {
		if r == '.' || '0' <= r && r <= '9' {
			return -1
		}
		return r
	}
	return numbers, i.Tag[:len(i.Tag)-len(tag)] + strings.Map(without, tag[end:])
}

// Older reports whether a tag is of an earlier version than another of the same form.
func (i Image) Older(than Image) bool {
	is, rest := i.version()
	was, other := than.version()
	n := min(len(is), len(was))
	return rest == other && slices.Compare(is[:n], was[:n]) < 0
}

// Looser reports whether a tag leaves open what another of the same form says, as 1 does after 1.25.3.
func (i Image) Looser(than Image) bool {
	is, rest := i.version()
	was, other := than.version()
	return i.Digest == "" && rest == other && len(is) > 0 && len(is) < len(was) && is[0] < 1000
}

// Publishers are the owners of the images that an object of a kind runs.
func Publishers(k schema.Kind, obj tree.Object) map[string]bool {
	known := map[string]bool{}
	for _, image := range Images(k, obj) {
		known[image.Owner()] = true
	}
	return known
}

// PlacedImage is an image with the field that has it.
type PlacedImage struct {
	Image
	Path fieldpath.Path
}

// Images are those that an object of a kind runs or mounts.
func Images(k schema.Kind, obj tree.Object) (list []PlacedImage) {
	for _, place := range Places(PodSpec, k) {
		for _, field := range []string{"containers[].image", "initContainers[].image", "volumes[].image.reference"} {
			for _, path := range ParsePattern(place + field).Find(obj) {
				if value, _ := path.Find(obj); value != nil {
					list = append(list, PlacedImage{ParseImage(tree.String(value)), path})
				}
			}
		}
	}
	return list
}
