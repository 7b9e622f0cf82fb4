package formula_test

import (
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// The last node is where the property is false.
func Example() {
	property, err := spec.ParseFormula("not (a:(in.write) and b:(in.write)) if a != b")
	if err != nil {
		log.Fatal(err)
	}
	compiled := formula.Compile(property, lsl.L3)
	fmt.Println(compiled.TIVs)
	for _, node := range compiled.Nodes {
		fmt.Println(node.Number, spec.Format(node.Part.Source), node.Value)
	}
	// Output:
	// [a b]
	// 0 a:(in.write) true
	// 1 b:(in.write) true
	// 2 a:(in.write) and b:(in.write) true
	// 3 not (a:(in.write) and b:(in.write)) if a != b false
}
