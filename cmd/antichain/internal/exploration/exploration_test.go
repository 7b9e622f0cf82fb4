package exploration

import (
	"context"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
)

// The command that repeats what an exploration has found has the seed of the schedule.
func TestWithSeed(t *testing.T) {
	for again, want := range map[string]string{
		"antichain run ./p arg":             "antichain run --seed 7 ./p arg",
		"antichain test --all ./p --seed 4": "antichain test --seed 7 --all ./p --seed 4",
	} {
		if got := withSeed(again, 7); got != want {
			t.Errorf("%s: %s, want %s", again, got, want)
		}
	}
}

// What ended an exploration is told, and with which seed what was found is seen again.
func TestSummary(t *testing.T) {
	found := &execution.Conclusion{Violated: true}
	for _, tt := range []struct {
		x     exploration
		found *execution.Conclusion
		cause error
		want  string
	}{
		{exploration{explored: 9}, nil, nil, "9 steered schedules: nothing else was found"},
		{exploration{explored: 3}, nil, errNoTimeLeft, "3 steered schedules: nothing else was found; then the time of -timeout was over"},
		{exploration{explored: 3, unknown: 1}, nil, context.Canceled, "3 steered schedules: nothing else was found; then it was interrupted; 1 have no verdict"},
		{exploration{explored: 4, unended: 2}, found, nil, "of 9 steered schedules this is number 4: --seed 5 shows it again; the program did not end under 2"},
	} {
		tt.x.plan = &execution.Plan{Explore: 9, Seed: 2}
		if got := tt.x.summary(tt.found, tt.cause); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
