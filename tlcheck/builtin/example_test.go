package builtin_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/stamp"
)

// program names what the numbers in operations mean.
type program struct{}

func (program) Task(t op.Task) op.Origin     { return op.Origin{Name: []string{"main", "worker"}[t]} }
func (program) Object(op.Object) string      { return "chan 1" }
func (program) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// A goroutine still waits for a message on a channel when the program ends.
func Example() {
	checker, err := builtin.New(builtin.Stuck)
	if err != nil {
		fmt.Println(err)
		return
	}
	stamper := &stamp.Stamper{To: checker}
	for _, o := range []op.Op{
		{Kind: op.Main},
		{Kind: op.MakeChan, Object: 1, At: 3},
		{Kind: op.Go, Other: 1, At: 4},
		{Kind: op.Block, Task: 1, Object: 1, Want: op.Recv, At: 9},
		{Kind: op.Left},
	} {
		stamper.Op(&o)
	}
	if err := stamper.Err(); err != nil {
		fmt.Println(err)
	}
	for _, f := range checker.Findings(program{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// stuck observed worker waits for ever at main.go:9 to receive from chan 1
}
