package confirmation

import (
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// That an Add comes too late is shown by a run that predicts it although sections have the order
// that was wanted. A send must happen.
func TestHappened(t *testing.T) {
	finding := func(p builtin.Property, how builtin.Certainty) builtin.Finding {
		return builtin.Finding{
			Property: p, How: how, Sectioned: how == builtin.Possible,
			Parties: []builtin.Party{{At: 1}, {At: 2}},
		}
	}
	late := finding(builtin.WaitGroup, builtin.Possible)
	known := finding(builtin.WaitGroup, builtin.Predicted)
	other := finding(builtin.WaitGroup, builtin.Predicted)
	other.Parties = []builtin.Party{{At: 2}, {At: 3}}
	for _, tt := range []struct {
		name          string
		wanted, found builtin.Finding
		is            bool
	}{
		{"late", late, known, true},
		{"panic", late, finding(builtin.WaitGroup, builtin.Observed), true},
		{"as before", late, late, false},
		{"another operation comes too late", late, other, false},
		{"no candidate", known, known, false},
		{"send", finding(builtin.Closed, builtin.Possible), finding(builtin.Closed, builtin.Predicted), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wanted := target{&tt.wanted, names{}}
			if got := wanted.isAmong([]builtin.Finding{tt.found}, names{}); got != tt.is {
				t.Errorf("%v, want %v", got, tt.is)
			}
		})
	}
}
