package kripke_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// A traffic light that may stay red.
func Example() {
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
	for _, s := range graph.Initial() {
		fmt.Println("from", kripke.Text(graph, s))
		for _, next := range graph.Successors(s) {
			fmt.Println("to", kripke.Text(graph, next))
		}
	}
	fmt.Println(graph.States(), "states,", graph.Len(), "moves")
	// Output:
	// from state 0: labels=green
	// to state 1: labels=yellow
	// 3 states, 4 moves
}
