package tableau_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// The light may stay red for ever.
func ExampleCheck() {
	ctx := context.Background()
	structure, err := kripke.ParseStructure("light.json", []byte(`{
		"states": 3, "start": 0, "labels": [["green"], ["yellow"], ["red"]],
		"succ": [[1], [2], [0, 2]]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	graph, err := kripke.Explore(ctx, structure)
	if err != nil {
		log.Fatal(err)
	}
	f, err := temporal.Parse("formula", "G F green", temporal.InfiniteLTL)
	if err != nil {
		log.Fatal(err)
	}
	result, err := tableau.Check(ctx, graph, kripke.Unfair, f)
	if err != nil {
		log.Fatal(err)
	}
	stem, loop := result.Counterexample.States()
	for _, s := range stem {
		fmt.Println(kripke.Text(graph, s))
	}
	for _, s := range loop {
		fmt.Println("for ever", kripke.Text(graph, s))
	}
	// Output:
	// state 0: labels=green
	// state 1: labels=yellow
	// for ever state 2: labels=red
}
