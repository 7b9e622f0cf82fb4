package terms_test

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
)

type kind uint8

const (
	kindAtom kind = iota + 2
	kindAnd
	kindOr
)

func TestTable(t *testing.T) {
	table := terms.NewTable[kind]()
	atom := func(n int) terms.Term { return table.Intern(terms.Node[kind]{Kind: kindAtom, Atom: n}) }
	a, b, c := atom(0), atom(1), atom(1000)
	if atom(1000) != c || a == b {
		t.Error("atoms are not interned")
	}
	ab := table.Of(kindAnd, table.Members(kindAnd, []terms.Term{b, a, b}), terms.True)
	if n := table.Nodes[ab]; n.Kind != kindAnd || !slices.Equal(n.Args, []terms.Term{a, b}) {
		t.Error(n)
	}
	if got := table.Members(kindAnd, []terms.Term{c, ab}); !slices.Equal(got, []terms.Term{a, b, c}) {
		t.Error(got)
	}
	if got := table.Members(kindOr, []terms.Term{c, ab}); !slices.Equal(got, []terms.Term{c, ab}) {
		t.Error(got)
	}
	if got := table.Of(kindOr, nil, terms.False); got != terms.False {
		t.Error(got)
	}
	if got := table.Of(kindOr, []terms.Term{c}, terms.False); got != c {
		t.Error(got)
	}
}
