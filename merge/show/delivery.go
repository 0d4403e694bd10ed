package show

import (
	"threeway/merge/impact"
)

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
