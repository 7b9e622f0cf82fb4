package confirmation

import (
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// That an Add comes too late is shown by a run that predicts it although sections have the order
// that was wanted. A send must happen.
func TestHappened(t *testing.T) {
	finding := func(p builtin.Property, how builtin.Certainty, sectioned bool) builtin.Finding {
		return builtin.Finding{Property: p, How: how, Sectioned: sectioned, Parties: []builtin.Party{{At: 1}, {At: 2}}}
	}
	for _, tt := range []struct {
		name   string
		wanted builtin.Finding
		found  builtin.Finding
		is     bool
	}{
		{"late", finding(builtin.WaitGroup, builtin.Possible, true), finding(builtin.WaitGroup, builtin.Predicted, false), true},
		{"panic", finding(builtin.WaitGroup, builtin.Possible, true), finding(builtin.WaitGroup, builtin.Observed, false), true},
		{"as before", finding(builtin.WaitGroup, builtin.Possible, true), finding(builtin.WaitGroup, builtin.Possible, true), false},
		{"no candidate", finding(builtin.WaitGroup, builtin.Predicted, false), finding(builtin.WaitGroup, builtin.Predicted, false), false},
		{"send", finding(builtin.Closed, builtin.Possible, true), finding(builtin.Closed, builtin.Predicted, false), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wanted := target{&tt.wanted, names{}}
			if got := wanted.isAmong([]builtin.Finding{tt.found}, names{}); got != tt.is {
				t.Errorf("%v, want %v", got, tt.is)
			}
		})
	}
}
