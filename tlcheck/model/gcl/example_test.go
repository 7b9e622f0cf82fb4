package gcl_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// One process counts, another one waits while the count is not 0.
func Example() {
	file, err := gcl.Parse("count.gcl", `
		declare x: [0..3];
		process P begin while true do x := (x + 1) % 4 end
		process Q begin while true do wait x > 0 end
	`)
	if err != nil {
		log.Fatal(err)
	}
	program, err := gcl.New(file, nil)
	if err != nil {
		log.Fatal(err)
	}
	graph, err := kripke.Explore(context.Background(), program)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range graph.Initial() {
		fmt.Println(kripke.Text(program, s))
	}
	fmt.Println(graph.States(), "states,", graph.Len(), "moves")
	// Output:
	// state 0: P.at=m0 Q.at=n0 x=0
	// 27 states, 48 moves
}
