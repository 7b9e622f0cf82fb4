package bdd_test

import (
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/model/bdd"
)

// Two of three variables are true.
func Example() {
	table := bdd.New()
	x, y, z := table.Variable(0), table.Variable(1), table.Variable(2)
	two := x.And(y).Or(y.And(z)).Or(x.And(z))
	fmt.Println(two.Count([]int{0, 1, 2}), "of 8, and with x", two.And(x).Count([]int{0, 1, 2}))
	fmt.Println("the same as a choice by x:", two.Equal(x.Choose(y.Or(z), y.And(z))))
	// Output:
	// 4 of 8, and with x 3
	// the same as a choice by x: true
}
