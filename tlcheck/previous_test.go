package tlcheck_test

import (
	"errors"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// A shared variable has no previous value; other variables of the run have.
func TestPreviousOfShared(t *testing.T) {
	net := santest.Read(t, `{"antichain":1,"tasks":["a"],"shared":{"b.x":0}}
{"t":"a","global":{"b.y":2},"write":{"b.x":1}}
{"t":"a","global":{"b.y":1}}
`)
	for text, want := range map[string]tlcheck.Verdict{
		"t:(b.y >= prev(b.y))": tlcheck.Violated,
		"t:(b.y <= prev(b.y))": tlcheck.Holds,
	} {
		p, err := spec.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := tlcheck.Check(t.Context(), net, p, tlcheck.Options{})
		if err != nil || r.Verdict != want {
			t.Errorf("%s: %v, %v", text, r, err)
		}
	}
	for _, text := range []string{"t:(prev(b.x) == 0)", "not sometime t:(in.f or prev(b.x.y) == b.y)"} {
		p, err := spec.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = tlcheck.Check(t.Context(), net, p, tlcheck.Options{})
		if _, refused := errors.AsType[*tlcheck.UnsupportedError](err); !refused {
			t.Errorf("%s: %v", text, err)
		}
	}
}
