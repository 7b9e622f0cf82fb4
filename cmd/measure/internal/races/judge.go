//go:build unix

package races

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/process"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/std"
	"github.com/antichain-go/antichain/tracer/op"
)

// A way is how races are looked for.
type way int

const (
	happensBefore way = iota // nothing orders the accesses in the log
	sections                 // or only critical sections do, which can come in another order
	ways
)

// unorderedOnly tells a checker only of accesses that nothing orders.
type unorderedOnly struct{ *builtin.Checker }

func (u unorderedOnly) Op(o *op.Op) {
	if o.Kind == op.Conflict && !o.Sectioned {
		u.Checker.Op(o)
	}
}

// outcome is what was reported of a log.
type outcome struct {
	found   bool // the race
	open    bool // with reads on the way that another race leaves open
	wrong   []string
	undone  bool // a note says that something was not decided
	seconds float64
}

// judge looks for races in a log.
func judge(log string, w way) (*outcome, error) {
	begin := time.Now()
	r := std.NewReader(strings.NewReader(log), "log", std.Options{})
	header, err := r.Header()
	if err != nil {
		return nil, err
	}
	checker, err := builtin.New(builtin.Race)
	if err != nil {
		return nil, err
	}
	var watcher op.Watcher = checker
	if w == happensBefore {
		watcher = unorderedOnly{checker}
	}
	operations := process.NewOperations(header, watcher)
	for e := new(event.Event); ; {
		if err := r.Next(e); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		operations.Add(e)
	}
	operations.Finish()
	o := new(outcome)
	for _, f := range checker.Findings(operations) {
		o.add(&f, operations)
	}
	o.seconds = time.Since(begin).Seconds()
	return o, nil
}

// add counts a finding.
func (o *outcome) add(f *builtin.Finding, names op.Names) {
	o.undone = o.undone || slices.ContainsFunc(f.Notes, func(n string) bool { return strings.Contains(n, "not looked at") || strings.Contains(n, "not decided") })
	if names.Place(f.Parties[0].At).At != secondPlace || names.Place(f.Parties[1].At).At != firstPlace {
		o.wrong = append(o.wrong, f.Text)
		return
	}
	o.found, o.open = true, f.How == builtin.Reordered
}
