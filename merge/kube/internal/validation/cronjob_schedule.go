package validation

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// parseSchedule returns what is wrong with the schedule of a CronJob. The
// parser is the server's own, which panics on a zone without a schedule
// ("TZ=0").
//
// Source: ParseCronScheduleWithPanicRecovery of pkg/util/parsers.
func parseSchedule(schedule string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("invalid schedule format: %v", r)
		}
	}()
	_, err = cron.ParseStandard(knownZone(schedule))
	return err
}

// knownZone is the schedule in UTC if this machine knows no time zones and so
// cannot tell whether that of the schedule exists.
func knownZone(schedule string) string {
	zone, times, found := strings.Cut(schedule, " ")
	if found && (strings.HasPrefix(zone, "TZ=") || strings.HasPrefix(zone, "CRON_TZ=")) && !hasZones() {
		return "TZ=UTC " + times
	}
	return schedule
}

// hasZones reports whether this machine has a database of time zones. The
// server brings its own; to bundle one costs 450 KB.
func hasZones() bool {
	_, err := time.LoadLocation("Europe/Berlin")
	return err == nil
}

// zoneError returns why a time zone is unknown; nil where the machine cannot
// tell.
func zoneError(name string) error {
	_, err := time.LoadLocation(name)
	if err != nil && !hasZones() {
		return nil
	}
	return err
}
