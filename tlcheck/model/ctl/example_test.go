package ctl_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// From every state the light can become green, but it need not.
func ExampleNew() {
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
	checker, err := ctl.New(graph, kripke.Unfair)
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"AG EF green", "AG AF green"} {
		f, err := temporal.Parse("formula", text, temporal.CTL)
		if err != nil {
			log.Fatal(err)
		}
		result, err := checker.Check(ctx, f)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(text, result.Holds)
	}
	// Output:
	// AG EF green true
	// AG AF green false
}
