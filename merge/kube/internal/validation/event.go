package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Rules of events. Source of this file: pkg/apis/core/validation/events.go.
var Event = Rules{createEvent, updateEvent}

// eventFields are the names that a version of Event has for the fields of the
// internal one.
type eventFields struct {
	involvedObject, message, source, firstTimestamp, lastTimestamp, count, reportingController string
}

func eventFieldsOf(r *Request) eventFields {
	if r.Kind.Group == "" {
		return eventFields{"involvedObject", "message", "source", "firstTimestamp", "lastTimestamp", "count", "reportingComponent"}
	}
	return eventFields{"regarding", "note", "deprecatedSource", "deprecatedFirstTimestamp", "deprecatedLastTimestamp", "deprecatedCount", "reportingController"}
}

func createEvent(r *Request) field.ErrorList {
	errs := anyEvent(r)
	if r.Kind.Group == "" {
		return errs // core/v1 is as lenient as it always was
	}
	f := eventFieldsOf(r)
	errs = append(errs, namespacedMeta(r, nameIsDNSSubdomain)...)
	errs = append(errs, eventSeries(r)...)
	if !tree.Has(r.Object, "eventTime") {
		errs = append(errs, field.Required(field.NewPath("eventTime"), ""))
	}
	if t := tree.String(r.Object, "type"); t != "Normal" && t != "Warning" {
		errs = append(errs, field.Invalid(field.NewPath("type"), "", "has invalid value: "+t))
	}
	for _, old := range []struct{ name, shown string }{{f.firstTimestamp, "firstTimestamp"}, {f.lastTimestamp, "lastTimestamp"}, {f.count, "count"}} {
		if !tree.Empty(r.Object[old.name]) {
			errs = append(errs, field.Invalid(field.NewPath(old.shown), "", "needs to be unset"))
		}
	}
	if source := tree.Map(r.Object, f.source); tree.String(source, "component") != "" || tree.String(source, "host") != "" {
		errs = append(errs, field.Invalid(field.NewPath("source"), "", "needs to be unset"))
	}
	return errs
}

func updateEvent(r *Request) field.ErrorList {
	errs := anyEvent(r)
	if r.Kind.Group == "" {
		return errs
	}
	f := eventFieldsOf(r)
	errs = append(errs, updatedMeta(r)...)
	if !same(r.Object["series"], r.Old["series"]) {
		errs = append(errs, eventSeries(r)...)
	}
	text := func(name, shown string) field.ErrorList {
		return immutable(tree.String(r.Object, name), tree.String(r.Old, name), field.NewPath(shown))
	}
	value := func(name, shown string) field.ErrorList {
		return immutable(r.Object[name], r.Old[name], field.NewPath(shown))
	}
	count, _ := tree.Int(r.Object, f.count)
	oldCount, _ := tree.Int(r.Old, f.count)
	errs = append(errs, immutableOf("core/v1.ObjectReference", r.Object[f.involvedObject], r.Old[f.involvedObject], field.NewPath("involvedObject"))...)
	errs = append(errs, text("reason", "reason")...)
	errs = append(errs, text(f.message, "message")...)
	errs = append(errs, immutableOf("core/v1.EventSource", r.Object[f.source], r.Old[f.source], field.NewPath("source"))...)
	errs = append(errs, value(f.firstTimestamp, "firstTimestamp")...)
	errs = append(errs, value(f.lastTimestamp, "lastTimestamp")...)
	errs = append(errs, immutable(count, oldCount, field.NewPath("count"))...)
	errs = append(errs, text("reason", "reason")...)
	errs = append(errs, text("type", "type")...)
	errs = append(errs, value("eventTime", "eventTime")...)
	errs = append(errs, text("action", "action")...)
	errs = append(errs, immutableOf("core/v1.ObjectReference", r.Object["related"], r.Old["related"], field.NewPath("related"))...)
	errs = append(errs, text(f.reportingController, "reportingController")...)
	return append(errs, text("reportingInstance", "reportingInstance")...)
}

// eventSeries follows validateV1EventSeries, which writes the paths with dots.
func eventSeries(r *Request) field.ErrorList {
	if !tree.Has(r.Object, "series") {
		return nil
	}
	var errs field.ErrorList
	if n, _ := tree.Int(r.Object, "series", "count"); n < 2 {
		errs = append(errs, field.Invalid(field.NewPath("series.count"), "", "should be at least 2"))
	}
	if !tree.Has(r.Object, "series", "lastObservedTime") {
		errs = append(errs, field.Required(field.NewPath("series.lastObservedTime"), ""))
	}
	return errs
}

// anyEvent holds in all versions: legacyValidateEvent.
func anyEvent(r *Request) field.ErrorList {
	f := eventFieldsOf(r)
	namespace := tree.String(r.Object, "metadata", "namespace")
	involved := tree.String(r.Object, f.involvedObject, "namespace")
	elsewhere := field.Invalid(field.NewPath("involvedObject", "namespace"), involved, "does not match event.namespace")
	var errs field.ErrorList
	switch {
	case tree.Has(r.Object, "eventTime"):
		if involved == "" && namespace != "default" && namespace != "kube-system" {
			errs = append(errs, elsewhere)
		}
		errs = append(errs, newEvent(r.Object, f)...)
	case involved == "" && namespace != "" && namespace != "default", involved != "" && namespace != involved:
		errs = append(errs, elsewhere)
	}
	return append(errs, invalidEach(field.NewPath("namespace"), namespace, isDNS1123Subdomain(namespace))...)
}

// newEvent holds of an event with an eventTime, which older ones lack.
func newEvent(event tree.Object, f eventFields) field.ErrorList {
	const maxName, maxNote = 128, 1024
	p := field.NewPath(f.reportingController)
	controller := tree.String(event, f.reportingController)
	var errs field.ErrorList
	if controller == "" {
		errs = append(errs, field.Required(p, ""))
	}
	errs = append(errs, qualifiedName(controller, p)...)
	for _, name := range []string{"reportingInstance", "action", "reason"} {
		text := tree.String(event, name)
		if text == "" {
			errs = append(errs, field.Required(field.NewPath(name), ""))
		}
		errs = append(errs, eventText(text, maxName, name)...)
	}
	return append(errs, eventText(tree.String(event, f.message), maxNote, "message")...)
}

func eventText(text string, limit int, name string) field.ErrorList {
	if len(text) <= limit {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath(name), "", fmt.Sprintf("can have at most %d characters", limit))}
}
