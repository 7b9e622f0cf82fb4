package builtin_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// program names what the numbers in operations mean.
type program struct{}

func (program) Task(t op.Task) op.Origin     { return op.Origin{Name: []string{"main", "worker"}[t]} }
func (program) Object(op.Object) string      { return "chan 1" }
func (program) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// A goroutine waits for a channel on which nobody sends when the program ends.
func Example() {
	checker, err := builtin.New(builtin.Stuck)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range []op.Op{
		{Kind: op.Main, K: 1},
		{Kind: op.MakeChan, K: 2, Object: 1, At: 3},
		{Kind: op.Go, K: 3, Other: 1, At: 4},
		{Kind: op.Block, Task: 1, K: 1, Object: 1, Want: op.Recv, At: 9},
		{Kind: op.Left},
	} {
		checker.Op(&o)
	}
	for _, f := range checker.Findings(program{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// stuck observed worker waits for ever at main.go:9 to receive from chan 1
}
