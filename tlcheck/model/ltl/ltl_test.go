package ltl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

func parse(t testing.TB, src string) *temporal.Formula {
	t.Helper()
	f, err := temporal.Parse("formula", src, temporal.FiniteLTL)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestValid(t *testing.T) {
	valid := []string{
		"G F a <-> F G a", // over infinite words it is not
		"F a | G !a", "N a <-> !X !a", "X a & N b <-> X (a & b)", "F N false", "G (X true | N false)",
		"a U b <-> b | a & X (a U b)", "a R b <-> b & (a | N (a R b))", "a W b <-> a U b | G a",
		"a M b <-> a R b & F a",
	}
	for _, src := range valid {
		f := parse(t, src)
		if word, ok, err := ltl.Valid(t.Context(), f); !ok || err != nil {
			t.Errorf("%s does not hold on %v (%v)", src, word, err)
		}
	}
	invalid := map[string]int{"X true": 1, "N false": 2, "G (a -> X b)": 1, "X a <-> N a": 1,
		"F X X true -> X X X true": 3}
	for src, shortest := range invalid {
		f := parse(t, src)
		word, ok, err := ltl.Valid(t.Context(), f)
		if ok || err != nil || len(word) != shortest {
			t.Errorf("%s: valid %v, counterexample %v (%v), want one of %d letters", src, ok, word, err, shortest)
			continue
		}
		if holds, _ := ltl.Holds(t.Context(), f, word); holds {
			t.Errorf("%s holds on %v", src, word)
		}
	}
}

// TestLiteralSlips has the words on which the automaton is wrong if it is made as the paper prints
// it.
func TestLiteralSlips(t *testing.T) {
	tests := []struct {
		slip, formula string
		word          word
		want          bool
	}{
		{"nodes agree on old and next, but not on strong", "a & b & (a U b) & N (a U b)",
			word{{"a": true, "b": true}}, true},
		{"true is not in old", "F true", word{{}}, true},
		{"true is not in old", "a U true", word{{}, {}}, true},
		{"weak and strong next are one row of the table", "!X a", word{{}}, true},
		{"weak and strong next are one row of the table", "!N a", word{{}}, false},
		{"contradictions stay", "F (a & !a)", word{{"a": true}, {}}, false},
		{"contradictions stay", "X false", word{{}, {}}, false},
	}
	for _, test := range tests {
		a, err := ltl.Literal(t.Context(), parse(t, test.formula), literalLimit)
		if err != nil {
			t.Fatal(err)
		}
		if got := accepts(t, a, test.word); got != test.want {
			t.Errorf("%s: %s on %v: %v", test.slip, test.formula, spell(test.word), got)
		}
	}
}

// TestEmptyWord has formulas that the empty word satisfies, and others that it does not.
func TestEmptyWord(t *testing.T) {
	tests := map[string]bool{
		"true": true, "false": false, "a": false, "!a": true, "X a": false, "N a": true, "X true": false,
		"N false": true,
		"F true":  false, "G false": true, "a U true": false, "a R false": true, "a W false": true,
		"true M true": false,
		"a -> b":      true, "a <-> b": true, "a & !a | G a": true,
	}
	for src, want := range tests {
		got, err := ltl.Holds(t.Context(), parse(t, src), nil)
		if got != want || err != nil {
			t.Errorf("%s: %v (%v), want %v", src, got, err, want)
		}
	}
}

// exclusive says that each of n atoms is true some time, and no two at once: the shortest word has
// n letters and any order of them will do.
func exclusive(n int) string {
	var some []string
	for i := range n {
		var others []string
		for j := range n {
			if i != j {
				others = append(others, fmt.Sprintf("!p%d", j))
			}
		}
		some = append(some, fmt.Sprintf("F p%d & G (p%d -> %s)", i, i, strings.Join(others, " & ")))
	}
	return strings.Join(some, " & ")
}

// response says that n events follow each other, each some time after the one before.
func response(n int) string {
	f := "F p0"
	for i := range n - 1 {
		f += fmt.Sprintf(" & G (p%d -> X F p%d)", i, i+1)
	}
	return f
}

// counter says that a number of n bits counts from 0 to the largest one.
func counter(n int) string {
	zero, carry, ones := "true", "true", "true"
	f := "true"
	for i := range n {
		zero += fmt.Sprintf(" & !p%d", i)
		f += fmt.Sprintf(" & G (X true -> (p%d <-> X p%d <-> !(%s)))", i, i, carry)
		carry += fmt.Sprintf(" & p%d", i)
		ones += fmt.Sprintf(" & p%d", i)
	}
	return fmt.Sprintf("%s & %s & F (%s)", zero, f, ones)
}

// TestSatIsDirected has formulas with long shortest words. A search that detects redundant
// obligations late would not end.
func TestSatIsDirected(t *testing.T) {
	for src, shortest := range map[string]int{exclusive(6): 6, response(40): 40, counter(7): 128} {
		word, sat, err := ltl.Sat(t.Context(), parse(t, src))
		if !sat || err != nil || len(word) != shortest {
			t.Errorf("%.40s…: %v, %d letters, %v, want a word of %d", src, sat, len(word), err, shortest)
		}
	}
}

// TestStopped has formulas that take too long, and contexts that end.
func TestStopped(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	f := parse(t, exclusive(40))
	if word, sat, err := ltl.Sat(ctx, f); !errors.Is(err, stop) || sat || word != nil {
		t.Errorf("Sat: %v, %v, %v", word, sat, err)
	}
	if _, valid, err := ltl.Valid(ctx, f); !errors.Is(err, stop) || valid {
		t.Errorf("Valid: %v, %v", valid, err)
	}
	if _, err := ltl.Holds(ctx, f, ltl.Word{{}}); !errors.Is(err, stop) {
		t.Errorf("Holds: %v", err)
	}
	none := func(int) bool { return false }
	if _, err := ltl.New(f).Successors(ctx, 0, none); !errors.Is(err, stop) {
		t.Errorf("Successors: %v", err)
	}
	if _, err := ltl.NewSubsets(ltl.New(f)).Successors(ctx, 0, none); !errors.Is(err, stop) {
		t.Errorf("Successors of subsets: %v", err)
	}
	if _, err := ltl.Literal(ctx, f, 1_000_000); !errors.Is(err, stop) {
		t.Errorf("Literal: %v", err)
	}
	if _, err := ltl.Literal(t.Context(), f, 100); !errors.Is(err, ltl.ErrNodes) {
		t.Errorf("Literal beyond its limit: %v", err)
	}
}

// TestSizeOfPublicFormulas compares the automata of the public formulas with those that the literal
// algorithm makes. UPDATE_SIZES=1 go test ./tlcheck/model/ltl rewrites the table.
func TestSizeOfPublicFormulas(t *testing.T) {
	if testing.Short() {
		t.Skip("makes large automata")
	}
	const table, limit = "testdata/sizes.txt", 4000
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Nodes of the literal algorithm, states of the automaton, states that Sat reaches.\n")
	for _, q := range public(t) {
		literal, err := ltl.Literal(t.Context(), q.formula, limit)
		if err != nil && !errors.Is(err, ltl.ErrNodes) {
			t.Fatal(err)
		}
		size, err2 := ltl.Size(t.Context(), q.formula)
		searched, err3 := ltl.SearchSize(t.Context(), q.formula)
		if err := errors.Join(err2, err3); err != nil {
			t.Fatal(err)
		}
		nodes, most := fmt.Sprint(literal.Size()), literal.Size()
		if err != nil {
			nodes, most = fmt.Sprintf(">%d", limit), limit
		}
		if size > most || searched > most {
			t.Errorf("%s: %d states, of which %d are searched; %s literally", q.ID, size, searched, nodes)
		}
		fmt.Fprintf(&b, "%6s %5d %5d  %s\n", nodes, size, searched, q.ID)
	}
	if os.Getenv("UPDATE_SIZES") != "" {
		if err := os.WriteFile(table, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Error(d)
	}
}
