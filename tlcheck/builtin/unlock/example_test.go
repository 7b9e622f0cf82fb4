package unlock_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/unlock"
	"github.com/antichain-go/antichain/tracer/op"
)

// program names what the numbers in operations mean.
type program struct{}

func (program) Task(t op.Task) op.Origin     { return op.Origin{Name: []string{"main", "worker"}[t]} }
func (program) Object(op.Object) string      { return "mutex 1" }
func (program) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// A goroutine unlocks what another one has locked, and does not wait for that.
func Example() {
	checker := builtin.NewChecker(unlock.Rule)
	for _, o := range []op.Op{
		{Kind: op.Lock, Task: 1, K: 1, Object: 1, At: 9},
		{Kind: op.Unlock, K: 1, Object: 1, At: 5},
	} {
		checker.Op(&o)
	}
	for _, f := range checker.Findings(program{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// unlock predicted main at main.go:5 can unlock mutex 1 when it is not locked: it does not wait for worker, which locks it at main.go:9
}
