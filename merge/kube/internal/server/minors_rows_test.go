package server_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"threeway/merge/kube/internal/minors"
)

// rows are those of minors.
var rows = map[string]*minors.Change{
	"RelaxedEnvNames":           &minors.RelaxedEnvNames,
	"RelaxedSearchPaths":        &minors.RelaxedSearchPaths,
	"SleepZero":                 &minors.SleepZero,
	"ProcMount":                 &minors.ProcMount,
	"PodGeneration":             &minors.PodGeneration,
	"PodLevelResources":         &minors.PodLevelResources,
	"SpreadKeysMerge":           &minors.SpreadKeysMerge,
	"LimitedImpersonation":      &minors.LimitedImpersonation,
	"AuthorizerNamed":           &minors.AuthorizerNamed,
	"TopologyLabels":            &minors.TopologyLabels,
	"ImageVolumes":              &minors.ImageVolumes,
	"ContainerRestartRules":     &minors.ContainerRestartRules,
	"RestartPolicyVanishes":     &minors.RestartPolicyVanishes,
	"RestartAllContainers":      &minors.RestartAllContainers,
	"ResizeRestartInit":         &minors.ResizeRestartInit,
	"ImageReferences":           &minors.ImageReferences,
	"SELinuxMountOption":        &minors.SELinuxMountOption,
	"HostFieldsInSpec":          &minors.HostFieldsInSpec,
	"PodLevelDefaultsLast":      &minors.PodLevelDefaultsLast,
	"InitAnnotationsInStrategy": &minors.InitAnnotationsInStrategy,
	"SysAdminKept":              &minors.SysAdminKept,
	"EmptyPodLevel":             &minors.EmptyPodLevel,
	"BindingNodeNames":          &minors.BindingNodeNames,
	"ServiceNameLabel":          &minors.ServiceNameLabel,
	"MutableRevisionHistory":    &minors.MutableRevisionHistory,
	"StatefulSetTemplates":      &minors.StatefulSetTemplates,
	"ConditionStatusDefault":    &minors.ConditionStatusDefault,
	"StatefulSetFields":         &minors.StatefulSetFields,
	"StatefulSetUnavailable":    &minors.StatefulSetUnavailable,
	"SuspendedJobResources":     &minors.SuspendedJobResources,
	"JobNamedOnCreate":          &minors.JobNamedOnCreate,
	"PolicyNamedOnCreate":       &minors.PolicyNamedOnCreate,
	"AttributesClassFirst":      &minors.AttributesClassFirst,
	"DriversNamed":              &minors.DriversNamed,
	"AutoscalerTargetVersion":   &minors.AutoscalerTargetVersion,
	"AutoscalerToZero":          &minors.AutoscalerToZero,
	"AutoscalerGeneration":      &minors.AutoscalerGeneration,
	"ShrinkResize":              &minors.ShrinkResize,
	"SameZoneTraffic":           &minors.SameZoneTraffic,
	"StrictAddresses":           &minors.StrictAddresses,
	"RelaxedServiceNames":       &minors.RelaxedServiceNames,
	"EndPortShown":              &minors.EndPortShown,
	"DriverScheduling":          &minors.DriverScheduling,
	"DeclaredNodeFeatures":      &minors.DeclaredNodeFeatures,
	"ProviderIDFixed":           &minors.ProviderIDFixed,
	"SharedDevices":             &minors.SharedDevices,
	"RangeNamesDefault":         &minors.RangeNamesDefault,
	"CapacityKept":              &minors.CapacityKept,
	"QuestionOfSpec":            &minors.QuestionOfSpec,
	"DaemonSetSelectorFirst":    &minors.DaemonSetSelectorFirst,
	"AttacherInSpec":            &minors.AttacherInSpec,
	"DriverNameOnce":            &minors.DriverNameOnce,
	"RoleRefImmutable":          &minors.RoleRefImmutable,
	"StaticNamesRejected":       &minors.StaticNamesRejected,
	"OwnerIndex":                &minors.OwnerIndex,
	"MessageTolerations":        &minors.MessageTolerations,
	"QuotaOfDevices":            &minors.QuotaOfDevices,
	"TemplateAttributes":        &minors.TemplateAttributes,
	"StrictSliceAddresses":      &minors.StrictSliceAddresses,
	"OmitsNullTimes":            &minors.OmitsNullTimes,
	"CorruptObjects":            &minors.CorruptObjects,
	"MutableNodeAllocatable":    &minors.MutableNodeAllocatable,
	"CreatesWithoutNulls":       &minors.CreatesWithoutNulls,
	"NullAnnotations":           &minors.NullAnnotations,
	"ReservedInStrategy":        &minors.ReservedInStrategy,
	"KeepsOwners":               &minors.KeepsOwners,
	"PartialKeys":               &minors.PartialKeys,
	"MessageMatchTypo":          &minors.MessageMatchTypo,
	"WarnMountOptions":          &minors.WarnMountOptions,
	"WarnNodeLabels":            &minors.WarnNodeLabels,
	"WarnOverlaps":              &minors.WarnOverlaps,
	"WarnMountableSecrets":      &minors.WarnMountableSecrets,
	"WarnFinalizerPaths":        &minors.WarnFinalizerPaths,
	"WarnGitRepo":               &minors.WarnGitRepo,
	"WarnPortNames":             &minors.WarnPortNames,
	"WarnAddresses":             &minors.WarnAddresses,
	"WarnNegativeHistory":       &minors.WarnNegativeHistory,
	"WarnLabelValues":           &minors.WarnLabelValues,
	"WarnHeadless":              &minors.WarnHeadless,
	"WarnFormats":               &minors.WarnFormats,
	"KnowsShortNames":           &minors.KnowsShortNames,
	"WarnPreferClose":           &minors.WarnPreferClose,
	"WarnDriverCase":            &minors.WarnDriverCase,
	"WarnDriverTokens":          &minors.WarnDriverTokens,
	"WarnQuotaAboveLimits":      &minors.WarnQuotaAboveLimits,
	"WarnExternalIPs":           &minors.WarnExternalIPs,
	"WarnStaticNames":           &minors.WarnStaticNames,
	"WarnAddressesInvalid":      &minors.WarnAddressesInvalid,
	"WarnSetsOfObjects":         &minors.WarnSetsOfObjects,
	"WarnExcludedWebhooks":      &minors.WarnExcludedWebhooks,
	"DeclaredAlone":             &minors.DeclaredAlone,
	"StatefulSetRecreate":       &minors.StatefulSetRecreate,
	"MLDSAKeys":                 &minors.MLDSAKeys,
	"CustomTooFew":              &minors.CustomTooFew,
	"EmptyRuntimeClass":         &minors.EmptyRuntimeClass,
	"ChangedToLimits":           &minors.ChangedToLimits,
	"QuotaAmountsKept":          &minors.QuotaAmountsKept,
	"WholeAmounts":              &minors.WholeAmounts,
	"CapacitySign":              &minors.CapacitySign,
	"PodRangesCleared":          &minors.PodRangesCleared,
	"PriorityValueFixed":        &minors.PriorityValueFixed,
	"AttachRequiredNamed":       &minors.AttachRequiredNamed,
	"CapacityClassRequired":     &minors.CapacityClassRequired,
	"BundleGeneration":          &minors.BundleGeneration,
	"JobDelegation":             &minors.JobDelegation,
	"NamesWithSlashes":          &minors.NamesWithSlashes,
	"RequestedCapacities":       &minors.RequestedCapacities,
	"SliceDevicesKept":          &minors.SliceDevicesKept,
	"OneNodeTerm":               &minors.OneNodeTerm,
	"VersionDigits":             &minors.VersionDigits,
	"WarnNewController":         &minors.WarnNewController,
	"WarnTaintsAll":             &minors.WarnTaintsAll,
	"ObjectInOneLine":           &minors.ObjectInOneLine,
}

// elsewhere are the rows that TestRowsHaveLines cannot turn off, because a table has a copy,
// with the line that shows them, and those that other tests show, with the file.
var elsewhere = map[string]string{
	"AttachRequiredNamed":       "whether a driver attaches",
	"BundleGeneration":          "the generation of a bundle",
	"ChangedToLimits":           "../../../../command/testdata/script/kubernetes-beta.txtar",
	"ObjectInOneLine":           "../../../../command/testdata/script/kubernetes-beta.txtar",
	"AutoscalerGeneration":      "an autoscaler counts generations",
	"InitAnnotationsInStrategy": "../../../../fixtures/minors/pods.txtar",
	"DriversNamed":              "where a driver runs",
	"MessageMatchTypo":          "a typing error",
	"MessageTolerations":        "a toleration of a class",
	"OwnerIndex":                "an owner without kind",
	"PodGeneration":             "the generation of a Pod",
	"ReservedInStrategy":        "tracked_test.go",
	"RoleRefImmutable":          "another role",
	"SuspendedJobResources":     "../../../../fixtures/minors/workloads.txtar",
	"LimitedImpersonation":      "../../../../command/testdata/script/rights-controllers.txtar",
	"AuthorizerNamed":           "../../../../fixtures/admission/rights.txtar",
	"TopologyLabels":            "../../../../fixtures/admission/topology-labels.txtar",
	"WarnFinalizerPaths":        "../../../../fixtures/admission/warnings-custom.txtar",
}

// unshown are rows from before this test without a line. No new row belongs here.
var unshown = []string{"CorruptObjects", "CreatesWithoutNulls", "KeepsOwners", "NullAnnotations", "PartialKeys", "QuotaOfDevices"}

// TestRowsHaveLines: without a row, a line of TestMinors for its first or last minor is
// answered otherwise. So a new difference between minors cannot come without a test.
func TestRowsHaveLines(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../minors/rows.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		for _, spec := range d.(*ast.GenDecl).Specs {
			if name := spec.(*ast.ValueSpec).Names[0].Name; rows[name] == nil {
				t.Errorf("minors.%s is missing in the list rows of minors_rows_test.go", name)
			}
		}
	}
	for name, row := range rows {
		was := *row
		shown := shows(t, was.Since, was.Until, func() func() {
			*row = minors.Change{Since: 1000}
			return func() { *row = was }
		})
		where, listed := elsewhere[name]
		switch {
		case shown && (listed || slices.Contains(unshown, name)):
			t.Errorf("minors.%s has a line, and is listed as if it had none", name)
		case listed && strings.HasSuffix(where, ".go"), listed && strings.HasSuffix(where, ".txtar"):
			if _, err := os.Stat(where); err != nil {
				t.Error(err)
			}
		case listed && !slices.ContainsFunc(minorLines(), func(c minorLine) bool { return c.name == where && (c.from == was.Since || c.from == was.Until+1) }):
			t.Errorf("minors.%s is shown by %q, which is no line of TestMinors about its first or last minor", name, where)
		case !shown && !listed && !slices.Contains(unshown, name):
			t.Errorf("minors.%s has no line in minorLines of minors_test.go: add one that 1.%d answers otherwise than the minor beside it", name, max(was.Since, was.Until))
		}
	}
	for i := range minors.Fields {
		was := minors.Fields[i]
		if was.Since > 0 && !shows(t, was.Since, 0, func() func() {
			minors.Fields[i].Since = 1000
			return func() { minors.Fields[i] = was }
		}) {
			t.Errorf("%s of %s has no line in minorLines of minors_test.go for 1.%d", was.Path, was.Type, was.Since)
		}
	}
}

// shows reports whether a line about the first minor of a row, or about the one behind
// its last, is answered otherwise without the row.
func shows(t *testing.T, since, until int, without func() (back func())) bool {
	for _, c := range minorLines() {
		if c.from != since && c.from != until+1 {
			continue
		}
		for _, minor := range []int{c.from - 1, c.from} {
			with := answer(t, minor, c.live, c.config, c.path)
			back := without()
			got := answer(t, minor, c.live, c.config, c.path)
			back()
			if got != with {
				return true
			}
		}
	}
	return false
}

// ownMinors are the files below merge that have a table of minors of their own.
var ownMinors = []string{"access/", "kube/conformance/", "kube/schema/", "snapshot/version.go", "kube/internal/cel/", "kube/internal/custom/validations/node.go",
	"kube/internal/minors/minors.go", "kube/internal/podsecurity/", "kube/internal/warnings/deprecated.go"}

// TestOnlyRowsCompareMinors: all other code asks a row, so that TestRowsHaveLines wants a line.
func TestOnlyRowsCompareMinors(t *testing.T) {
	isMinor := func(e ast.Expr) bool {
		if s, ok := e.(*ast.SelectorExpr); ok {
			e = s.Sel
		}
		name, ok := e.(*ast.Ident)
		return ok && strings.EqualFold(name.Name, "minor")
	}
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		path = strings.TrimPrefix(path, "../../../")
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || slices.ContainsFunc(ownMinors, func(own string) bool { return strings.HasPrefix(path, own) }) {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join("../../..", path), nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if b, ok := n.(*ast.BinaryExpr); ok && (isMinor(b.X) || isMinor(b.Y)) && slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ}, b.Op) {
				t.Errorf("%s: minors are compared; ask a row of merge/kube/internal/minors: minors.ROW.In(minor)", files.Position(b.Pos()))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
