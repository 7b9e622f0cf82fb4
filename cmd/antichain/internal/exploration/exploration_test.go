package exploration

import (
	"context"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/execution"
)

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
