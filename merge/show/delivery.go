package show

import (
	"fmt"
	"strings"

	"threeway/merge/impact"
)

// arrivalWords say of consumers how a change of configuration gets to them.
var arrivalWords = []struct {
	arrival   impact.Arrival
	one, many string
}{
	{impact.NotUntilRestart, "1 workload keeps the old values until it is restarted", "%d workloads keep the old values until they are restarted"},
	{impact.Eventually, "1 workload gets the new values in files within minutes, without a restart", "%d workloads get the new values in files within minutes, without a restart"},
	{impact.WithRestart, "1 workload gets the new values, since this apply replaces its pods", "%d workloads get the new values, since this apply replaces their pods"},
	{impact.ByReloader, "1 workload asks a controller by annotation to restart it", "%d workloads ask a controller by annotation to restart them"},
	{impact.WithNextRun, "1 CronJob gets the new values with its next run", "%d CronJobs get the new values with their next runs"},
}

// Delivery says, a line each, how the workloads that read a ConfigMap or Secret get
// its new values.
func Delivery(d *impact.Delivery) (lines []string) {
	for _, w := range arrivalWords {
		if names := Consumers(d, w.arrival); names != nil {
			var count planLine
			count.add(len(names), w.one, w.many)
			lines = append(lines, count[0]+": "+abbreviated(names, 5))
		}
	}
	return lines
}

// Consumers are the workloads that a change gets to in one way, each with how it
// reads the configuration: shop/Deployment.apps/web (env).
func Consumers(d *impact.Delivery, arrival impact.Arrival) (names []string) {
	for _, c := range d.Consumers {
		if c.Arrival == arrival {
			names = append(names, fmt.Sprintf("%s (%s)", c.Object, joined(c.Readings)))
		}
	}
	return names
}

func joined(readings []impact.Reading) string {
	var words []string
	for _, r := range readings {
		words = append(words, string(r))
	}
	return strings.Join(words, ", ")
}

// abbreviated joins the first so many of a list.
func abbreviated(list []string, most int) string {
	switch more := len(list) - most; {
	case more == 1:
		return strings.Join(list[:most], ", ") + " and 1 other"
	case more > 1:
		return fmt.Sprintf("%s and %d others", strings.Join(list[:most], ", "), more)
	}
	return strings.Join(list, ", ")
}

// jsonDelivery is how the change of a ConfigMap or Secret gets to its consumers.
type jsonDelivery struct {
	Keys      []string       `json:"keys"`
	Consumers []jsonConsumer `json:"consumers"`
}

type jsonConsumer struct {
	Object   string           `json:"object"`
	Readings []impact.Reading `json:"readings"`
	Arrival  impact.Arrival   `json:"arrival"`
}

func deliveryJSON(d *impact.Delivery) *jsonDelivery {
	j := &jsonDelivery{d.Keys, []jsonConsumer{}}
	for _, c := range d.Consumers {
		j.Consumers = append(j.Consumers, jsonConsumer{c.Object.String(), c.Readings, c.Arrival})
	}
	return j
}
