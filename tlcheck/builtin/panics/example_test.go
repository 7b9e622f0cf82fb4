package panics_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/panics"
	"github.com/antichain-go/antichain/tracer/op"
)

// program names what the numbers in operations mean.
type program struct{}

func (program) Task(t op.Task) op.Origin     { return op.Origin{Name: []string{"main", "worker"}[t]} }
func (program) Object(op.Object) string      { return "" }
func (program) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// A goroutine panics while main waits for it before it ends the program.
func Example() {
	checker := builtin.NewChecker(panics.Rule)
	for _, o := range []op.Op{
		{Kind: op.Misuse, Task: 1, K: 1, Arg: int64(op.Panicked), At: 9},
	} {
		checker.Op(&o)
	}
	for _, f := range checker.Findings(program{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// panic observed worker panics at main.go:9 while the program ends, which does not wait for it
}
