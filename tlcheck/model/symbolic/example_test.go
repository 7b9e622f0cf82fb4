package symbolic_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/symbolic"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Sets of states are decision diagrams; no state is looked at by itself.
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
	space, err := symbolic.New(ctx, program, symbolic.Options{})
	if err != nil {
		log.Fatal(err)
	}
	f, err := temporal.Parse("formula", "AG x < 4 & EF x == 3", temporal.CTL)
	if err != nil {
		log.Fatal(err)
	}
	result, err := ctl.NewOnSpace(space).Check(ctx, f)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f, result.Holds, "of", result.States, "states")
	// Output:
	// AG (x < 4) & EF (x == 3) true of 27 states
}
