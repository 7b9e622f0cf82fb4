package leak_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/leak"
	"github.com/antichain-go/antichain/tracer/op"
)

// program names what the numbers in operations mean.
type program struct{}

func (program) Task(t op.Task) op.Origin {
	return op.Origin{Name: []string{"main", "worker"}[t], Function: "main.work"}
}
func (program) Object(op.Object) string      { return "" }
func (program) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// A goroutine that must finish has not when the program ends.
func Example() {
	checker := builtin.NewChecker(leak.Rule)
	checker.MustFinish("main.work")
	for _, o := range []op.Op{
		{Kind: op.Go, K: 1, Other: 1, At: 4},
		{Kind: op.Left, K: 2, At: 5},
	} {
		checker.Op(&o)
	}
	for _, f := range checker.Findings(program{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// leak observed main ends the program at main.go:5 while worker, which runs work and must finish, has not
}
