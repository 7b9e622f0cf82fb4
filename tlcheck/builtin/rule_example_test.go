package builtin_test

import (
	"fmt"
	"maps"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tlcheck/builtin/unlock"
	"github.com/antichain-go/antichain/tracer/op"
)

// busyLock reports mutexes that are locked more than twice.
var busyLock = &rule.Rule{
	Name:  "busylock",
	Doc:   "reports mutexes that are locked more than twice",
	Kinds: []op.Kind{op.Lock, op.Free},
	New:   func() rule.Detector { return lockings{} },
}

const mostLockings = 2

// lockings are the operations that lock each mutex, as parties of a finding.
type lockings map[op.Object][]rule.Party

func (l lockings) Op(o *op.Op) {
	switch {
	case len(l[o.Object]) > mostLockings: // that is enough
	case o.Kind == op.Free:
		delete(l, o.Object)
	default:
		l[o.Object] = append(l[o.Object], rule.Party{
			Task: o.Task, Kind: o.Kind, Object: o.Object, At: o.At, Does: "locks it",
		})
	}
}

func (l lockings) Findings(names op.Names) []rule.Finding {
	var all []rule.Finding
	for _, object := range slices.Sorted(maps.Keys(l)) {
		if parties := l[object]; len(parties) > mostLockings {
			all = append(all, rule.Finding{
				How:     rule.Observed,
				Text:    names.Object(object) + " is locked too often",
				Parties: parties,
			})
		}
	}
	return all
}

// numbers are the names of what has no others.
type numbers struct{}

func (numbers) Task(t op.Task) op.Origin     { return op.Origin{Name: fmt.Sprint("goroutine ", t)} }
func (numbers) Object(o op.Object) string    { return fmt.Sprint("mutex ", o) }
func (numbers) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprint("main.go:", p)} }

// A rule of another module runs beside a built-in one.
func ExampleNewChecker() {
	checker := builtin.NewChecker(busyLock, unlock.Rule)
	for k := range int32(3) {
		checker.Op(&op.Op{Kind: op.Lock, K: 2*k + 1, Object: 1, At: 5})
		checker.Op(&op.Op{Kind: op.Unlock, K: 2*k + 2, Object: 1, At: 6})
	}
	for _, f := range checker.Findings(numbers{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// busylock observed mutex 1 is locked too often
}
