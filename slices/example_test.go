package slices_test

import (
	"fmt"
	"log"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tracer/event"
)

// Two tasks have two events each. Nothing orders events of different tasks.
func Example() {
	builder, err := san.NewBuilder(&event.Header{Tasks: []string{"a", "b"}})
	if err != nil {
		log.Fatal(err)
	}
	for i, e := range []event.Event{{Task: "a", Enter: "f"}, {Task: "a", Exit: "f"}, {Task: "b", Enter: "f"},
		{Task: "b", Exit: "f"}} {
		if err := builder.Add(&e, fmt.Sprintf("event %d", i+1)); err != nil {
			log.Fatal(err)
		}
	}
	net, err := builder.Finish()
	if err != nil {
		log.Fatal(err)
	}
	lattice := slices.NewLattice(net)
	inF := lattice.Set(lattice.Containing(0, 1, 1)) // a is in f
	both, err := inF.Intersect(slices.Budget{}, lattice.Set(lattice.Containing(1, 1, 1)))
	if err != nil {
		log.Fatal(err)
	}
	before, err := both.Sometime(slices.Budget{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range both.All() {
		fmt.Println("both are in f in", i, "reached by", len(lattice.Schedule(lattice.Bottom(), i)), "actions")
	}
	all, _ := lattice.All().Count(100)
	some, _ := before.Count(100)
	fmt.Println("that is still to come, or true, in", some, "of", all, "slices")
	// Output:
	// both are in f in [1 1] reached by 2 actions
	// that is still to come, or true, in 3 of 9 slices
}
