package terms_test

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/ltl/internal/terms"
)

func TestTable(t *testing.T) {
	table := terms.NewTable()
	atom := func(n int) terms.Term { return table.Intern(terms.Node{Kind: terms.KindAtom, Atom: n}) }
	a, b, c := atom(0), atom(1), atom(1000)
	if atom(1000) != c || a == b {
		t.Error("atoms are not interned")
	}
	ab := table.Of(terms.KindAnd, table.Members(terms.KindAnd, []terms.Term{b, a, b}), terms.True)
	if n := table.Nodes[ab]; n.Kind != terms.KindAnd || !slices.Equal(n.Args, []terms.Term{a, b}) {
		t.Error(n)
	}
	if got := table.Members(terms.KindAnd, []terms.Term{c, ab}); !slices.Equal(got, []terms.Term{a, b, c}) {
		t.Error(got)
	}
	if got := table.Members(terms.KindOr, []terms.Term{c, ab}); !slices.Equal(got, []terms.Term{c, ab}) {
		t.Error(got)
	}
	if got := table.Of(terms.KindOr, nil, terms.False); got != terms.False {
		t.Error(got)
	}
	if got := table.Of(terms.KindOr, []terms.Term{c}, terms.False); got != c {
		t.Error(got)
	}
}
