package closed_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/closed"
	"github.com/antichain-go/antichain/tracer/op"
)

// program names what the numbers in operations mean.
type program struct{}

func (program) Task(t op.Task) op.Origin     { return op.Origin{Name: []string{"main", "worker"}[t]} }
func (program) Object(op.Object) string      { return "chan 1" }
func (program) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// A goroutine closes a channel, and does not wait for the one that sends.
func Example() {
	checker := builtin.NewChecker(closed.Rule)
	for _, o := range []op.Op{
		{Kind: op.Send, Task: 1, K: 1, Object: 1, At: 9},
		{Kind: op.Close, K: 1, Object: 1, At: 5},
	} {
		checker.Op(&o)
	}
	for _, f := range checker.Findings(program{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// closed predicted worker at main.go:9 can send on chan 1 after main closes it at main.go:5
}
