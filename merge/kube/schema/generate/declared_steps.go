package main

import (
	"cmp"
	"slices"
)

// step is one step of a check, in the order of upstream's generator. ../declared.go says
// what the letters mean.
type step struct {
	Field  string   `json:"f,omitempty"`
	Type   string   `json:"t,omitempty"`
	Check  string   `json:"c,omitempty"`
	Stage  string   `json:"m,omitempty"`
	Number int64    `json:"n,omitempty"`
	Names  []string `json:"a,omitempty"`
	Fields []string `json:"k,omitempty"`
	Whole  bool     `json:"w,omitempty"`
	Equal  bool     `json:"u,omitempty"`
	First  bool     `json:"e,omitempty"`
	Quiet  bool     `json:"q,omitempty"`
	Stop   bool     `json:"x,omitempty"`
	Steps  []step   `json:"s,omitempty"`
	Rules  []rule   `json:"r,omitempty"`
}

// rule is what counts for one value of a discriminator.
type rule struct {
	Value string `json:"v"`
	Steps []step `json:"s,omitempty"`
}

// checks are the steps of types by their full names.
type checks map[string][]step

const alpha, beta = "a", "b"

// known are the checks that ../../internal/validation/declared_checks.go has.
var known = []string{
	"OptionalValue", "OptionalPointer", "OptionalSlice", "OptionalMap", "RequiredValue", "RequiredPointer", "RequiredSlice", "RequiredMap",
	"ForbiddenValue", "ForbiddenPointer", "ForbiddenSlice", "ForbiddenMap", "Immutable", "Minimum", "Maximum", "Monotonic",
	"MaxItems", "MaxLength", "MaxBytes", "Enum", "ValSliceUnique", "EachValSliceVal", "EachMapVal", "EachMapKey", "Subfield",
	"Union", "ZeroOrOneOfUnion", "DependentRequired", "DependentForbidden", "Discriminated", "IfOption", "UpdatePointer", "UpdateValueByCompare", "UpdateValue",
	"MaxProperties", "MinimumQuantity", "DiscriminatedUnion",
	"ShortName", "LongName", "LongNameCaseless", "LabelKey", "LabelValue", "PrefixedLabelKey", "PathSegmentName", "UUID",
	"ResourcePoolName", "ExtendedResourceName", "ResourceFullyQualifiedName",
}

var optional = []string{"OptionalPointer", "OptionalSlice", "OptionalMap"}

// unreached are checks of fields that a gate drops in every minor.
var unreached = []string{"ValidateCustom_SecurityProfileOCI_Ref", "ValidateCustom_SecurityProfileOCIBase_LocalhostProfile", "ValidateCustom_EvictionResponder_Name", "ValidateCustom_EvictionResponder_Priority"}

// matching are the checks whose first argument says which items are the same.
var matching = []string{"ValSliceUnique", "EachValSliceVal"}

// said are the checks that an answer can show. That a list, map or pointer may be
// missing says nothing: what follows finds nothing to check in it.
func (c checks) said() checks {
	says := map[string]bool{}
	var shown func(steps []step, stage string) []step
	shown = func(steps []step, stage string) (kept []step) {
		for _, s := range steps {
			stage := cmp.Or(stage, s.Stage)
			switch {
			case s.Field == "status", s.Type != "" && !says[s.Type], slices.Contains(optional, s.Check):
				continue
			case s.Check == "" && s.Type == "" && !s.Stop:
				s.Steps = shown(s.Steps, stage)
			}
			if slices.ContainsFunc(s.Steps, func(t step) bool { return !t.Stop && !t.Quiet }) || s.Check != "" && (s.First || stage != alpha) || s.Type != "" || s.Stop {
				kept = append(kept, s)
			}
		}
		if !slices.ContainsFunc(kept, func(s step) bool { return s.First }) {
			kept = slices.DeleteFunc(kept, func(s step) bool { return s.Stop })
		}
		if !slices.ContainsFunc(kept, func(s step) bool { return s.Stage != alpha && !s.Quiet && !s.Stop }) {
			return nil
		}
		return kept
	}
	for more := true; more; {
		more = false
		for name, steps := range c {
			if !says[name] && len(shown(steps, "")) > 0 {
				says[name], more = true, true
			}
		}
	}
	all := checks{}
	for name, steps := range c {
		if says[name] {
			all[name] = shown(steps, "")
		}
	}
	return all
}
