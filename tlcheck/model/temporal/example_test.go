package temporal_test

import (
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func ExampleParse() {
	f, err := temporal.Parse("formula", "G (request -> F (granted & x > 1))", temporal.InfiniteLTL)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f)
	for _, a := range f.Atoms() {
		fmt.Println(a.Text)
	}
	_, err = temporal.Parse("formula", "G request -> granted)", temporal.InfiniteLTL)
	fmt.Println(err)
	// Output:
	// G (request -> F (granted & x > 1))
	// request
	// granted
	// x > 1
	// formula:1:21: found ")"; expected an operator or the end of the formula
	//     G request -> granted)
	//                         ^
}
