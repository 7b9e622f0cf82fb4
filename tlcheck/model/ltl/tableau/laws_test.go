package tableau_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func parse(t rapid.TB, text string) *temporal.Formula {
	t.Helper()
	f, err := temporal.Parse("formula", text, temporal.InfiniteLTL)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestLaws has what the algorithm as it is printed gets wrong, and what finite words do not have.
func TestLaws(t *testing.T) {
	for _, text := range []string{
		"p U q <-> q | p & X (p U q)",
		"!(p U q) <-> G !q | !q U (!p & !q)",
		"!(p U q) <-> !p R !q",
		"p W q <-> p U q | G p",
		"p M q <-> q U (p & q)",
		"!X p <-> X !p",
		"F G F p <-> G F p",
		"X true",
		"G (p -> X p) -> (p -> G p)",
		"!(G X F p & G !p)",
		"!(G (F p & X F p) & F G !p)",
	} {
		decide(t, text, parse(t, text), tableau.Valid, false)
	}
	for _, text := range []string{"G F p <-> F G p", "F p", "p", "p R q -> F p"} {
		decide(t, text, parse(t, "!("+text+")"), tableau.Sat, true)
	}
}

// TestReasons shows why formulas are not satisfiable.
func TestReasons(t *testing.T) {
	for _, test := range []struct{ formula, want string }{
		{"false", "0 nodes"},
		{"p & !p & F q", "0 nodes"},
		{"p & (q & F q) & G !p", "1 nodes; p, !p, q, X G !p, F q: contradiction"},
		{"G p & F !p", "1 nodes; p, X G p, F !p: postponed F !p"},
		{"p & X !p & G p", "2 nodes; p, !p, X G p: contradiction"},
	} {
		a, err := tableau.Sat(t.Context(), parse(t, test.formula))
		if err != nil {
			t.Fatal(err)
		}
		if got := reasonText(a.Reason); got != test.want {
			t.Errorf("%s: %s, want %s", test.formula, got, test.want)
		}
	}
}

// TestReasonsAreShort has a formula that is not, in negation normal form.
func TestReasonsAreShort(t *testing.T) {
	text := "p0"
	for i := range 60 {
		text = fmt.Sprintf("(%s) <-> p%d", text, i+1)
	}
	a, err := tableau.Sat(t.Context(), parse(t, "F (r & ("+text+")) & G !r"))
	if err != nil {
		t.Fatal(err)
	}
	if a.Model != nil || len(a.Reason.Removed) == 0 {
		t.Fatalf("model %v, reason %v", a.Model, a.Reason)
	}
	if text := reasonText(a.Reason); len(text) > 1<<20 || !strings.Contains(text, "…") {
		t.Errorf("the reason has %d bytes", len(text))
	}
}

func reasonText(r *tableau.Reason) string {
	text := fmt.Sprintf("%d nodes", r.Nodes)
	for _, removed := range r.Removed {
		text += "; " + list(removed.Formulas) + ": "
		if removed.Unfulfilled == nil {
			text += "contradiction"
		} else {
			text += "postponed " + list(removed.Unfulfilled)
		}
	}
	return text
}

func list(formulas []*temporal.Formula) string {
	var texts []string
	for _, f := range formulas {
		texts = append(texts, f.String())
	}
	return strings.Join(texts, ", ")
}

// countdown is a context that ends when it has been looked at so many times.
type countdown struct {
	context.Context
	left *int
}

var errEnough = errors.New("enough")

func (c countdown) Err() error {
	if *c.left--; *c.left < 0 {
		return errEnough
	}
	return nil
}

// TestStops ends a search early, late, and not at all.
func TestStops(t *testing.T) {
	conjuncts := []string{"F G !p0"}
	for i := range 9 {
		conjuncts = append(conjuncts, fmt.Sprintf("G F (p%d & X !p%d)", i, i))
	}
	f := parse(t, strings.Join(conjuncts, " & "))
	ended := 0
	for looks := 0; ; looks = 2*looks + 1 {
		left := looks
		_, err := tableau.Sat(countdown{t.Context(), &left}, f)
		if err == nil {
			break
		}
		if !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
		ended++
	}
	if ended < 6 {
		t.Errorf("ended %d times: it looks too seldom", ended)
	}
}
