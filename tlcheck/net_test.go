package tlcheck_test

import "github.com/antichain-go/antichain/tlcheck/spec"

// fataler is a test, of package testing or rapid.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// property reads a formula as given with -e.
func property(t fataler, src string) *spec.Property {
	t.Helper()
	p, err := spec.ParseFormula(src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
