package skeleton_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/model/ctl/skeleton"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Two processes take turns for ever.
func ExampleSynthesize() {
	f, err := temporal.Parse("formula", "a1 & AG (a1 <-> !a2) & AG (EX_1 true -> a1) & AG (EX_2 true -> a2) & AG AF a1 & AG AF a2", temporal.CTL)
	if err != nil {
		log.Fatal(err)
	}
	made, err := skeleton.Synthesize(context.Background(), f, 2)
	if err != nil {
		log.Fatal(err)
	}
	if made.Skeletons == nil {
		fmt.Println("there is no program")
		return
	}
	fmt.Print(made.Skeletons.Program())
	// Output:
	// declare a1 : [0..1];
	// declare a2 : [0..1];
	// initially a1 = 1;
	//
	// process P1
	//   none : if a1 = 1 { a1 := 0; a2 := 1; goto none; }
	// end
	//
	// process P2
	//   none : if a2 = 1 { a1 := 1; a2 := 0; goto none; }
	// end
}
