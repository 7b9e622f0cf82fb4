package lsl_test

import (
	"fmt"
	"log"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// A local formula is undefined where its variables are not visible.
func ExampleCompile() {
	builder, err := san.NewBuilder(&event.Header{Tasks: []string{"t"}})
	if err != nil {
		log.Fatal(err)
	}
	for i, e := range []event.Event{
		{Task: "t", Enter: "f", Set: []event.Binding{{Name: "x", Value: event.IntValue(1)}}},
		{Task: "t", Set: []event.Binding{{Name: "x", Value: event.IntValue(2)}}},
	} {
		if err := builder.Add(&e, fmt.Sprintf("event %d", i+1)); err != nil {
			log.Fatal(err)
		}
	}
	net, err := builder.Finish()
	if err != nil {
		log.Fatal(err)
	}
	property, err := spec.ParseFormula("t:(x > 1)")
	if err != nil {
		log.Fatal(err)
	}
	local := property.Formula.(*spec.Atom).Local
	formula := lsl.Compile(net, local, lsl.L3)
	for w := net.Walk(0); ; {
		fmt.Println(spec.FormatLocal(local), "is", formula.Eval(w.State(), nil))
		if !w.Next() {
			break
		}
	}
	// Output:
	// x > 1 is undefined
	// x > 1 is false
	// x > 1 is true
}
