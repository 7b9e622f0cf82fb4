package ltl_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func ExampleSat() {
	f, err := temporal.Parse("formula", "F (a & X b) & G (a -> !b)", temporal.FiniteLTL)
	if err != nil {
		log.Fatal(err)
	}
	word, sat, err := ltl.Sat(context.Background(), f)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sat, word)
	holds, err := ltl.Holds(context.Background(), f, ltl.Word{{"a", "b"}, {"b"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(holds)
	// Output:
	// true [[a] [b]]
	// false
}
