package tableau_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func ExampleSat() {
	for _, text := range []string{"EX p & EX !p", "AX p & EX !p"} {
		f, err := temporal.Parse("formula", text, temporal.CTL)
		if err != nil {
			log.Fatal(err)
		}
		found, err := tableau.Sat(context.Background(), f, tableau.Options{})
		if err != nil {
			log.Fatal(err)
		}
		if found.Model == nil {
			fmt.Println(text, "has no model")
			continue
		}
		fmt.Println(text, "is true in", kripke.Text(found.Model, found.Model.Initial()[0]))
	}
	// Output:
	// EX p & EX !p is true in state 0: labels=
	// AX p & EX !p has no model
}
