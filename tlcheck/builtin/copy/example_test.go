package copy_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/copy"
	"github.com/antichain-go/antichain/tracer/op"
)

// program names what the numbers in operations mean.
type program struct{}

func (program) Task(t op.Task) op.Origin     { return op.Origin{Name: []string{"main", "worker"}[t]} }
func (program) Object(op.Object) string      { return "mutex 1" }
func (program) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// A goroutine copies a mutex that another one has locked.
func Example() {
	checker := builtin.NewChecker(copy.Rule)
	for _, o := range []op.Op{
		{Kind: op.Lock, K: 1, Object: 1, At: 5},
		{Kind: op.Copy, Task: 1, K: 1, Object: 1, At: 9},
	} {
		checker.Op(&o)
	}
	for _, f := range checker.Findings(program{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// copy observed worker at main.go:9 copies mutex 1, which main has locked at main.go:5 and not unlocked
}
