package builtin_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// busyLocks reports mutexes that are locked more than twice.
var busyLocks = &rule.Rule{
	Name:  "busylock",
	Doc:   "reports mutexes that are locked more than twice",
	Kinds: []op.Kind{op.Lock, op.Free},
	New:   func() rule.Detector { return locks{} },
}

// locks counts how often each mutex was locked, and knows where it was locked last.
type locks map[op.Object]*struct {
	n    int
	last rule.Party
}

func (l locks) Op(o *op.Op) {
	if o.Kind == op.Free {
		delete(l, o.Object)
		return
	}
	if l[o.Object] == nil {
		l[o.Object] = new(struct {
			n    int
			last rule.Party
		})
	}
	l[o.Object].n++
	l[o.Object].last = rule.Party{Task: o.Task, Kind: o.Kind, Object: o.Object, At: o.At, Does: "locks it"}
}

func (l locks) Findings(names op.Names) []rule.Finding {
	var all []rule.Finding
	for object, lock := range l {
		if lock.n > 2 {
			all = append(all, rule.Finding{
				How:     rule.Observed,
				Text:    fmt.Sprintf("%s is locked %d times", names.Object(object), lock.n),
				Parties: []rule.Party{lock.last},
			})
		}
	}
	return all
}

// A rule of another module runs beside a built-in one.
func ExampleNewChecker() {
	checker := builtin.NewChecker(busyLocks, builtin.Rules[0])
	for k := range int32(3) {
		checker.Op(&op.Op{Kind: op.Lock, K: 2*k + 1, Object: 1, At: 5})
		checker.Op(&op.Op{Kind: op.Unlock, K: 2*k + 2, Object: 1, At: 6})
	}
	for _, f := range checker.Findings(program{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// busylock observed chan 1 is locked 3 times
}
