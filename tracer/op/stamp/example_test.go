package stamp_test

import (
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/stamp"
)

// program names what the numbers in operations mean.
type program struct{}

func (program) Task(t op.Task) op.Origin     { return op.Origin{Name: []string{"main", "worker"}[t]} }
func (program) Object(o op.Object) string    { return fmt.Sprint("chan ", o) }
func (program) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// The main task sends on channel 1, and the worker closes that channel. In the first run a message
// on channel 2 orders the two. In the second run nothing does.
func Example() {
	begin := []op.Op{
		{Kind: op.Main},
		{Kind: op.MakeChan, Object: 1, Arg: 1, At: 3},
		{Kind: op.MakeChan, Object: 2, At: 4},
		{Kind: op.Go, Other: 1, At: 5},
		{Kind: op.Send, Object: 1, At: 6},
	}
	message := op.Op{Kind: op.Handoff, Object: 2, At: 7, Other: 1, OtherAt: 11}
	end := []op.Op{
		{Kind: op.Close, Task: 1, Object: 1, At: 12},
		{Kind: op.End, Task: 1},
		{Kind: op.Left, Arg: 1},
	}
	check("ordered", append(append(begin[:len(begin):len(begin)], message), end...))
	check("unordered", append(begin[:len(begin):len(begin)], end...))
	// Output:
	// ordered: 0 findings
	// unordered: 1 findings
	// closed predicted main at main.go:6 can send on chan 1 after worker closes it at main.go:12
}

func check(run string, ops []op.Op) {
	checker, err := builtin.New(builtin.Closed)
	if err != nil {
		log.Fatal(err)
	}
	stamper := &stamp.Stamper{To: checker}
	for i := range ops {
		stamper.Op(&ops[i])
	}
	if err := stamper.Err(); err != nil {
		log.Fatal(err)
	}
	findings := checker.Findings(program{})
	fmt.Printf("%s: %d findings\n", run, len(findings))
	for _, f := range findings {
		fmt.Println(f.Property, f.How, f.Text)
	}
}
