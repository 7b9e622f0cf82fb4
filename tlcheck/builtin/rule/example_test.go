package rule_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// anonymous is a program without names.
type anonymous struct{}

func (anonymous) Task(t op.Task) op.Origin   { return op.Origin{Name: fmt.Sprint("goroutine ", t)} }
func (anonymous) Object(o op.Object) string  { return fmt.Sprint("object ", o) }
func (anonymous) Place(op.Place) op.Location { return op.Location{} }

// starts counts goroutines.
type starts int

func (n *starts) Op(*op.Op) { *n++ }

func (n *starts) Findings(op.Names) []rule.Finding {
	if *n < 3 {
		return nil
	}
	return []rule.Finding{{How: rule.Observed, Text: fmt.Sprintf("%d goroutines are started", *n)}}
}

// A rule that reports programs with many goroutines.
func Example() {
	crowd := &rule.Rule{
		Name:  "crowd",
		Doc:   "reports programs that start three goroutines",
		Kinds: []op.Kind{op.Go},
		New:   func() rule.Detector { return new(starts) },
	}
	checker := builtin.NewChecker(crowd)
	for task := range op.Task(3) {
		checker.Op(&op.Op{Kind: op.Go, K: int32(task) + 1, Other: task + 1})
	}
	for _, f := range checker.Findings(anonymous{}) {
		fmt.Println(f.Property, f.How, f.Text)
	}
	// Output:
	// crowd observed 3 goroutines are started
}
