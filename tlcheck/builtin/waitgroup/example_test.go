package waitgroup_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/waitgroup"
	"github.com/antichain-go/antichain/tracer/op"
)

// program names what the numbers in operations mean.
type program struct{}

func (program) Task(t op.Task) op.Origin     { return op.Origin{Name: []string{"main", "worker"}[t]} }
func (program) Object(op.Object) string      { return "wait group 1" }
func (program) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// A goroutine calls Add itself, which the Wait may not see.
func Example() {
	checker := builtin.NewChecker(waitgroup.Rule)
	for _, o := range []op.Op{
		{Kind: op.Wait, K: 1, Object: 1, At: 5},
		{Kind: op.Add, Task: 1, K: 1, Object: 1, Arg: 1, At: 9},
	} {
		checker.Op(&o)
	}
	for _, f := range checker.Findings(program{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// waitgroup predicted worker at main.go:9 can add to wait group 1 from zero while main waits for it at main.go:5; Wait may then return too early
}
