package source_test

import (
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/source"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// A mistake in a specification has its place in fields, for a program that shows it in its own way.
func ExampleError() {
	_, err := spec.Parse("bank.tl", "property solvent: t:(balance >=)")
	var mistake *source.Error
	if errors.As(err, &mistake) {
		fmt.Println(mistake.File, mistake.Line, mistake.Col, mistake.Brief())
	}
	// Output:
	// bank.tl 1 32 found ")"; expected a predicate or an expression
}
