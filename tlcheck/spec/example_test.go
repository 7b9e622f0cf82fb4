package spec_test

import (
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

func ExampleParse() {
	file, err := spec.Parse("bank.tl", `
		// One withdrawal at a time.
		property exclusive: not (a:(in.withdraw) and b:(in.withdraw)) if a != b
		property solvent: t:(balance >= 0)
	`)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range file.Properties {
		fmt.Println(p.Name, "is about", spec.TIVs(p.Formula), "and says", spec.Format(p.Formula))
	}
	// Output:
	// exclusive is about [a b] and says not (a:(in.withdraw) and b:(in.withdraw)) if a != b
	// solvent is about [t] and says t:(balance >= 0)
}

// A mistake is shown with its place.
func ExampleParseFormula() {
	_, err := spec.ParseFormula("t:(balance >= 0) andd t:(in.f)")
	fmt.Println(err)
	// Output:
	// 1:18: found "andd"; expected an operator or the end of the formula (did you mean "and"?)
	//     t:(balance >= 0) andd t:(in.f)
	//                      ^
}
