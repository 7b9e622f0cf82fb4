package race_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/race"
	"github.com/antichain-go/antichain/tracer/op"
)

// program names what the numbers in operations mean.
type program struct{}

func (program) Task(t op.Task) op.Origin     { return op.Origin{Name: []string{"main", "worker"}[t]} }
func (program) Object(op.Object) string      { return "" }
func (program) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// Two goroutines write to the same memory, and nothing orders them.
func Example() {
	checker := builtin.NewChecker(race.Rule)
	for _, o := range []op.Op{
		{Kind: op.Conflict, Want: op.Write, At: 5, Other: 1, OtherAt: 9, Access: op.Access{OtherWant: op.Write}},
	} {
		checker.Op(&o)
	}
	for _, f := range checker.Findings(program{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// race predicted main writes at main.go:5 the memory that worker writes at main.go:9, and nothing orders the two
}
