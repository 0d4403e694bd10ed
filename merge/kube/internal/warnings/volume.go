package warnings

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// podVolumes are the fields of a pod's volume whose plugins are gone; the
// claim of an ephemeral one comes among them.
//
// Source: warningsForPodSpecAndMeta of pkg/api/pod/warnings.go.
var podVolumes = []struct{ field, shown, text string }{
	{"photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"},
	{"gitRepo", "gitRepo", "deprecated in v1.11"},
	{"scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"},
	{"flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+"},
	{"storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"},
	{"quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+"},
	{"glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"},
	{"ephemeral", "ephemeral", ""},
	{"cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"},
	{"rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"},
}

// volumes warns of volumes that no longer work, or cannot as they are.
func (w *texts) volumes(list []any, p *field.Path, minor int) {
	for i, v := range list {
		for _, s := range podVolumes {
			at := p.Index(i).Child(s.shown)
			switch {
			case !tree.Has(v, s.field):
			case s.field == "ephemeral":
				w.claimSpec(tree.Map(v, s.field, "volumeClaimTemplate", "spec"), at.Child("volumeClaimTemplate", "spec"))
			case s.field == "gitRepo" && minors.WarnGitRepo.In(minor):
				w.at(at, "%s, and disabled by default in v1.33+", s.text)
			default:
				w.at(at, "%s", s.text)
			}
		}
	}
	if !minors.WarnOverlaps.In(minor) {
		return
	}
	for _, v := range list {
		w.overlaps(v)
	}
}

// overlaps warns of files of one volume of which one hides the other.
//
// Source: warningsForOverlappingVirtualPaths of pkg/api/pod/warnings.go.
func (w *texts) overlaps(volume any) {
	for _, s := range []struct{ field, shown, name string }{
		{"configMap", "ConfigMap", "name"}, {"secret", "Secret", "secretName"}, {"downwardAPI", "DownwardAPI", ""},
	} {
		if source := tree.Map(volume, s.field); source != nil {
			shown := s.shown
			if s.name != "" {
				shown += fmt.Sprintf(" %q", tree.String(source, s.name))
			}
			w.collisions(volume, shown, itemPaths(source, ""), nil)
		}
	}
	var before []file
	for _, s := range tree.List(volume, "projected", "sources") {
		source := tree.Map(s)
		if len(source) == 0 {
			w.say("", "volume %q (Projected) has no sources provided", tree.String(volume, "name"))
			continue
		}
		before = w.collisions(volume, "Projected", projectedPaths(source), before)
	}
}

// file is a path in a volume, and what puts it there.
type file struct{ path, source string }

func (f file) String() string {
	if f.source == "" {
		return fmt.Sprintf("%q", f.path)
	}
	return fmt.Sprintf("%q (%s)", f.path, f.source)
}

func itemPaths(source tree.Object, shown string) []file {
	var files []file
	for _, item := range tree.List(source, "items") {
		files = append(files, file{tree.String(item, "path"), shown})
	}
	return files
}

// projectedPaths are the files of one source of a projected volume.
func projectedPaths(source tree.Object) []file {
	named := func(kind, field string) string { return fmt.Sprintf("%s %q", kind, tree.String(source, field, "name")) }
	switch {
	case tree.Has(tree.Map(source, "configMap"), "items"):
		return itemPaths(tree.Map(source, "configMap"), named("ConfigMap", "configMap"))
	case tree.Has(tree.Map(source, "secret"), "items"):
		return itemPaths(tree.Map(source, "secret"), named("Secret", "secret"))
	case tree.Has(tree.Map(source, "downwardAPI"), "items"):
		return itemPaths(tree.Map(source, "downwardAPI"), "DownwardAPI")
	case tree.Has(source, "serviceAccountToken"):
		return []file{{tree.String(source, "serviceAccountToken", "path"), "ServiceAccountToken"}}
	case tree.Has(source, "clusterTrustBundle"):
		bundle := tree.Map(source, "clusterTrustBundle")
		name := tree.String(bundle, "name")
		if !tree.Has(bundle, "name") {
			name = tree.String(bundle, "signerName")
		}
		return []file{{tree.String(bundle, "path"), fmt.Sprintf("ClusterTrustBundle %q", name)}}
	}
	var files []file
	for _, f := range []struct{ field, shown string }{
		{"certificateChainPath", "PodCertificate chain"}, {"keyPath", "PodCertificate key"}, {"credentialBundlePath", "PodCertificate credential bundle"},
	} {
		if path := tree.String(source, "podCertificate", f.field); path != "" {
			files = append(files, file{path, f.shown})
		}
	}
	return files
}

// collisions warns of files that are below or above ones before, and returns
// them all.
func (w *texts) collisions(volume any, shown string, files, before []file) []file {
	for _, f := range files {
		f.path = strings.TrimRight(f.path, "/")
		for _, other := range before {
			if f.path != "" && other.path != "" && (strings.HasPrefix(other.path+"/", f.path+"/") || strings.HasPrefix(f.path+"/", other.path+"/")) {
				w.say("", "volume %q (%s): overlapping paths: %s with %s", tree.String(volume, "name"), shown, f, other)
			}
		}
		before = append(before, f)
	}
	return before
}
