package ltl_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/temporaltest"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

var names = []string{"a", "b", "c"}

func formulas(atoms []string, depth int) *rapid.Generator[*temporal.Formula] {
	return temporaltest.Formula(temporal.FiniteLTL, temporaltest.Atoms(atoms...), depth)
}

func wordOver(atoms []string) *rapid.Generator[word] {
	return rapid.Custom(func(t *rapid.T) word {
		var w word
		for range rapid.IntRange(0, 6).Draw(t, "length") {
			letter := map[string]bool{}
			for _, a := range atoms {
				letter[a] = rapid.Bool().Draw(t, a)
			}
			w = append(w, letter)
		}
		return w
	})
}

// spell returns the letters as names of the atoms that are true.
func spell(w word) ltl.Word {
	spelled := ltl.Word{}
	for _, letter := range w {
		var l []string
		for _, a := range names {
			if letter[a] {
				l = append(l, a)
			}
		}
		spelled = append(spelled, l)
	}
	return spelled
}

// accepts runs an automaton over a word, keeping all states that it can be in.
func accepts(t interface{ Fatal(...any) }, a ltl.Automaton, w word) bool {
	states := []int{a.Initial()}
	for _, letter := range w {
		var next []int
		for _, s := range states {
			to, err := a.Successors(context.Background(), s, func(atom int) bool { return letter[a.Atoms()[atom]] })
			if err != nil {
				t.Fatal(err)
			}
			next = append(next, to...)
		}
		slices.Sort(next)
		states = slices.Compact(next)
	}
	return slices.ContainsFunc(states, a.Accepting)
}

// edgeAutomaton is the automaton that the edges describe.
type edgeAutomaton struct{ *ltl.LazyAutomaton }

func (a edgeAutomaton) Successors(ctx context.Context, from int, letter func(atom int) bool) (to []int, err error) {
	edges, err := a.Edges(ctx, from)
	for _, e := range edges {
		lacks := func(atom int) bool { return !letter(atom) }
		if !slices.ContainsFunc(e.True, lacks) && !slices.ContainsFunc(e.False, letter) {
			to = append(to, e.To)
		}
	}
	return to, err
}

const literalLimit = 20_000

// TestWordsAgree compares all ways to decide whether a word satisfies a formula, on a random word
// and on all short ones. .ci/long ltl does it for a million formulas.
func TestWordsAgree(t *testing.T) {
	short := slices.Concat(words(names[:2], 1), words(names[:2], 2))
	rapid.Check(t, func(t *rapid.T) {
		f := formulas(names, 4).Draw(t, "formula")
		drawn := wordOver(names).Draw(t, "word")
		lazy := ltl.New(f)
		automata := map[string]ltl.Automaton{
			"the automaton": lazy, "the deterministic automaton": ltl.NewSubsets(lazy),
			"what its edges say": edgeAutomaton{ltl.New(f)},
		}
		literal, err := ltl.Literal(context.Background(), f, literalLimit)
		if err == nil {
			automata["the literal automaton"] = literal
			automata["subsets of the literal automaton"] = ltl.NewSubsets(literal)
		}
		for _, w := range append(short, drawn) {
			want := satisfies(w, f)
			if got := holds(t, f, w); got != want {
				t.Fatalf("%s on %v: Holds says %v", f, spell(w), got)
			}
			if len(w) == 0 {
				continue
			}
			if got := progresses(w, f); got != want {
				t.Fatalf("%s on %v: progression says %v", f, spell(w), got)
			}
			for name, a := range automata {
				if got := accepts(t, a, w); got != want {
					t.Fatalf("%s on %v: %s says %v", f, spell(w), name, got)
				}
			}
		}
	})
}

// holds is Holds without an error.
func holds(t interface{ Fatal(...any) }, f *temporal.Formula, w word) bool {
	v, err := ltl.Holds(context.Background(), f, spell(w))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSatIsShortest compares with all words of up to four letters, and beyond with the
// deterministic automaton.
func TestSatIsShortest(t *testing.T) {
	two := names[:2]
	var all []word
	for n := 1; n <= 3; n++ {
		all = append(all, words(two, n)...)
	}
	rapid.Check(t, func(t *rapid.T) {
		f := formulas(two, 4).Draw(t, "formula")
		model, sat, err := ltl.Sat(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		shortest := breadthFirst(t, f)
		if !sat {
			model = nil
		}
		if len(model) != shortest {
			t.Fatalf("%s: model %v, the shortest has %d letters", f, model, shortest)
		}
		if holds, err := ltl.Holds(context.Background(), f, model); sat && !holds || err != nil {
			t.Fatalf("%s is not satisfied by %v (%v)", f, model, err)
		}
		for _, w := range all {
			if satisfies(w, f) {
				if len(w) != shortest {
					t.Fatalf("%s: model %v, but %v is the first", f, model, spell(w))
				}
				break
			}
		}
	})
}

// breadthFirst returns the length of the shortest words over a and b that the literal automaton
// accepts, 0 if there is none.
func breadthFirst(t *rapid.T, f *temporal.Formula) int {
	a, err := ltl.Literal(context.Background(), f, literalLimit)
	if err != nil {
		t.Skip(err)
	}
	distance := map[int]int{a.Initial(): 0}
	queue := []int{a.Initial()}
	for ; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		if a.Accepting(s) {
			return distance[s]
		}
		for set := range 1 << 2 {
			to, err := a.Successors(context.Background(), s, func(atom int) bool { return set>>atom&1 == 1 })
			if err != nil {
				t.Fatal(err)
			}
			for _, next := range to {
				if _, ok := distance[next]; !ok {
					distance[next] = distance[s] + 1
					queue = append(queue, next)
				}
			}
		}
	}
	return 0
}

// A formula and its negation exclude each other at once, also if they are equivalences.
func TestNegationIsSeen(t *testing.T) {
	s := "G(a <-> X b) & G(b <-> X c) & G(c <-> X a)"
	f, err := temporal.Parse("formula", "("+s+") & !("+s+")", temporal.FiniteLTL)
	if err != nil {
		t.Fatal(err)
	}
	if size, err := ltl.Size(t.Context(), f); err != nil || size > 1 {
		t.Errorf("%d states, %v", size, err)
	}
}

// TestSizeIsNeverLarger compares the number of states with that of the literal algorithm.
func TestSizeIsNeverLarger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := formulas(names, 4).Draw(t, "formula")
		literal, err := ltl.Literal(context.Background(), f, literalLimit)
		if err != nil {
			t.Skip(err)
		}
		size, err := ltl.Size(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		searched, err := ltl.SearchSize(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		if size > literal.Size() || searched > literal.Size() {
			t.Fatalf("%s: %d states, of which %d are searched; %d literally", f, size, searched, literal.Size())
		}
	})
}
