package steps_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// The shortest way to a state with x = 2.
func Example() {
	ctx := context.Background()
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
	f, err := temporal.Parse("formula", "F x == 2", temporal.FiniteLTL)
	if err != nil {
		log.Fatal(err)
	}
	search, err := steps.New(program, f, program.Initial()[0], steps.Options{Mode: steps.Shortest, Limit: 100})
	if err != nil {
		log.Fatal(err)
	}
	defer search.Close()
	step, err := search.Next(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range step.States {
		fmt.Println(kripke.Text(program, s))
	}
	// Output:
	// state 0: P.at=m0 Q.at=n0 x=0
	// state 1: P.at=m2 Q.at=n0 x=0
	// state 3: P.at=m1 Q.at=n0 x=1
	// state 6: P.at=m2 Q.at=n0 x=1
	// state 9: P.at=m1 Q.at=n0 x=2
}
