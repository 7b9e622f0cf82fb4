package stubborn_test

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/stubborn"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func ExampleReduce() {
	file, err := gcl.Parse("steps.gcl", `
		for i in 1..3 process P[i]
		  declare x[i] : [0..2];
		  a : x[i] := 1;
		  b : x[i] := 2;
		end`)
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := gcl.New(file, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := temporal.Parse("formula", "F P1.at.end", temporal.InfiniteLTL)
	if err != nil {
		fmt.Println(err)
		return
	}
	reduced, err := stubborn.Reduce(program, f, kripke.Unfair)
	if err != nil {
		fmt.Println(err)
		return
	}
	memory := kripke.Remember(kripke.Stutter(reduced))
	result, err := tableau.Check(context.Background(), memory, kripke.Unfair, f)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("holds: %v, in %d states of 27\n", result.Counterexample == nil, memory.States())
	// Output: holds: true, in 7 states of 27
}
