// Command operations checks built-in properties on operations that it makes itself.
package main

import (
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/stamp"
)

// names say what the numbers in operations mean.
type names struct{}

func (names) Task(t op.Task) op.Origin {
	return op.Origin{Name: fmt.Sprint("worker ", t), By: op.NoTask}
}
func (names) Object(o op.Object) string    { return fmt.Sprint("queue ", o) }
func (names) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("queue.x:%d", p)} }

// Worker 0 puts something into queue 1, which worker 1 closes. A message on queue 2 can order the two.
var (
	begin = []op.Op{
		{Kind: op.Main},
		{Kind: op.MakeChan, Object: 1, Arg: 1, At: 1},
		{Kind: op.MakeChan, Object: 2, At: 2},
		{Kind: op.Go, Other: 1, At: 3},
		{Kind: op.Send, Object: 1, At: 4},
	}
	message = []op.Op{{Kind: op.Handoff, Object: 2, At: 5, Other: 1, OtherAt: 8}}
	end     = []op.Op{
		{Kind: op.Close, Task: 1, Object: 1, At: 9},
		{Kind: op.End, Task: 1},
		{Kind: op.Left, Arg: 1},
	}
)

func main() {
	check(slices.Concat(begin, message, end))
	check(slices.Concat(begin, end))
}

// check prints what is wrong with a run.
func check(run []op.Op) {
	properties := []builtin.Property{builtin.Deadlock, builtin.Closed}
	checker, err := builtin.New(properties...)
	if err != nil {
		log.Fatal(err)
	}
	stamper := &stamp.Stamper{To: checker} // gives operations their clocks
	for i := range run {
		stamper.Op(&run[i])
	}
	if err := stamper.Err(); err != nil {
		log.Fatal(err)
	}
	for _, result := range tlcheck.BuiltinResults(properties, checker.Findings(names{}), names{}, nil) {
		if err := report.WriteText(os.Stdout, result, report.Style{}); err != nil {
			log.Fatal(err)
		}
	}
}
