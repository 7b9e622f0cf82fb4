package skeleton_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/skeleton"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// values are those of the atoms a, of process P1, b, of P2, and c, which is shared.
type values [3]bool

// proposition is a formula about one state, as it is written and as it is meant.
type proposition struct {
	text  string
	holds func(values) bool
}

// drawProposition draws a proposition of so many levels.
func drawProposition(t *rapid.T, depth int) proposition {
	kind := rapid.IntRange(0, 6).Draw(t, "proposition")
	if depth == 0 {
		kind %= 3
	}
	if kind < 3 {
		return proposition{"abc"[kind : kind+1], func(v values) bool { return v[kind] }}
	}
	x, y := drawProposition(t, depth-1), drawProposition(t, depth-1)
	switch kind {
	case 3:
		return proposition{"!(" + x.text + ")", func(v values) bool { return !x.holds(v) }}
	case 4:
		return proposition{"(" + x.text + " & " + y.text + ")", func(v values) bool { return x.holds(v) && y.holds(v) }}
	case 5:
		return proposition{"(" + x.text + " -> " + y.text + ")", func(v values) bool {
			return !x.holds(v) || y.holds(v)
		}}
	}
	return proposition{"(" + x.text + " <-> " + y.text + ")", func(v values) bool { return x.holds(v) == y.holds(v) }}
}

// aMove is what a process did.
type aMove struct {
	process  int
	from, to values
}

// clause is a part of a specification, as it is written and as it is meant of moves, one behind the
// other.
type clause struct {
	text  string
	holds func([]aMove) bool
}

func drawClause(t *rapid.T) clause {
	p, q := drawProposition(t, 2), drawProposition(t, 2)
	i := rapid.IntRange(1, 2).Draw(t, "process")
	steps := func(of func(aMove) bool) func([]aMove) bool {
		return func(moves []aMove) bool {
			for _, m := range moves {
				if of(m) && p.holds(m.from) && !q.holds(m.to) {
					return false
				}
			}
			return true
		}
	}
	one, all := func(m aMove) bool { return m.process == i }, func(aMove) bool { return true }
	switch rapid.IntRange(0, 7).Draw(t, "clause") {
	case 0:
		return clause{p.text, func(moves []aMove) bool { return len(moves) == 0 || p.holds(moves[0].from) }}
	case 1:
		return clause{"AG " + p.text, func(moves []aMove) bool {
			for _, m := range moves {
				if !p.holds(m.to) {
					return false
				}
			}
			return true
		}}
	case 2:
		return clause{fmt.Sprintf("AG (%s -> AX_P%d %s)", p.text, i, q.text), steps(one)}
	case 3:
		return clause{fmt.Sprintf("AG (%s & EX_P%d true -> AX_P%[2]d %s)", p.text, i, q.text), steps(one)}
	case 4:
		return clause{fmt.Sprintf("AG !(%s & EX_P%d !(%s))", p.text, i, q.text), steps(one)}
	case 5:
		return clause{fmt.Sprintf("AG (!(%s) | AX %s)", p.text, q.text), steps(all)}
	case 6:
		return clause{fmt.Sprintf("AG (%s -> AX_P%d %s & EX c)", p.text, i, q.text), steps(one)}
	}
	return clause{fmt.Sprintf("AG (%s -> AF %s & EX_P%d c)", p.text, q.text, i), func([]aMove) bool { return true }}
}

// drawMoves draws moves of processes that change the variables they may change.
func drawMoves(t *rapid.T) []aMove {
	var now values
	for i := range now {
		now[i] = rapid.Bool().Draw(t, "initial")
	}
	var moves []aMove
	for range rapid.IntRange(0, 6).Draw(t, "moves") {
		m := aMove{process: rapid.IntRange(1, 2).Draw(t, "mover"), from: now, to: now}
		for _, i := range []int{m.process - 1, 2} {
			m.to[i] = m.to[i] != rapid.Bool().Draw(t, "changes")
		}
		now = m.to
		moves = append(moves, m)
	}
	return moves
}

// trace is the trace of the moves of a package m.
func trace(moves []aMove) string {
	var b strings.Builder
	b.WriteString(`{"antichain":1,"tasks":["main","one","two"]}` + "\n")
	count := map[string]int{}
	after := ""
	for i, m := range moves {
		task := []string{"one", "two"}[m.process-1]
		fmt.Fprintf(&b, `{"t":%q,"global":{"m.moved.process":"P%d","m.moved.first":%v`, task, m.process, i == 0)
		for n, atom := range []string{"a", "b", "c"} {
			fmt.Fprintf(&b, `,"m.moved.from.%s":%v,"m.moved.to.%[1]s":%[3]v`, atom, m.from[n], m.to[n])
		}
		fmt.Fprintf(&b, "}%s}\n", after)
		count[task]++
		after = fmt.Sprintf(`,"after":[[%q,%d]]`, task, count[task])
		if i+1 < len(moves) && moves[i+1].process == m.process {
			after = "" // it is what this task did before
		}
	}
	return b.String()
}

// TestSliceSpecSaysTheSame checks written specifications on traces of moves that may violate them.
func TestSliceSpecSaysTheSame(test *testing.T) {
	violated, held := 0, 0
	rapid.Check(test, func(t *rapid.T) {
		var texts []string
		want := true
		moves := drawMoves(t)
		for range rapid.IntRange(1, 3).Draw(t, "clauses") {
			c := drawClause(t)
			texts = append(texts, c.text)
			want = want && c.holds(moves)
		}
		s := &skeleton.Synthesis{Formula: parse(t, strings.Join(texts, " & ")), Skeletons: &skeleton.Skeletons{
			Variables: []skeleton.Variable{{Name: "a", Process: 0}, {Name: "b", Process: 1},
				{Name: "c", Process: skeleton.Shared}},
			Processes: []skeleton.Process{{Name: "P1"}, {Name: "P2"}},
		}}
		text := s.SliceSpec("m")
		var of []*spec.Property
		if strings.Contains(text, "property") {
			of = properties(t, text)
		}
		net := santest.Read(test, trace(moves))
		got := true
		for _, p := range of {
			r, err := tlcheck.Check(context.Background(), net, p, tlcheck.Options{})
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			got = got && r.Verdict == tlcheck.Holds
		}
		if got != want {
			t.Fatalf("%v, want %v\n%s\n%s", got, want, text, trace(moves))
		}
		if want {
			held++
		} else {
			violated++
		}
	})
	if !testing.Short() && (violated == 0 || held == 0) {
		test.Errorf("%d violated, %d held", violated, held)
	}
}

func properties(t rapid.TB, text string) []*spec.Property {
	t.Helper()
	file, err := spec.Parse("m.tl", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return file.Properties
}

// TestSliceSpecLong has formulas that get twice as long with each operator.
func TestSliceSpecLong(t *testing.T) {
	for n, want := range map[int]bool{6: true, 60: false} {
		f := parse(t, "AG ("+strings.Repeat("a <-> (", n)+"b"+strings.Repeat(")", n)+")")
		s := &skeleton.Synthesis{Formula: f, Skeletons: &skeleton.Skeletons{}}
		text := s.SliceSpec("m")
		if strings.Contains(text, "property") != want || strings.Contains(text, "too long in the slice logic") == want {
			t.Errorf("of %d:\n%s", n, text)
		}
	}
}

// TestSliceSpecLeavesOut has a formula for each reason.
func TestSliceSpecLeavesOut(t *testing.T) {
	s := &skeleton.Synthesis{Formula: parse(t, "AG EF a & AG (a -> A[a U b]) & AX b & AG (a -> A[b W c]) & AG (AX_P1 a | AX_P2 b) & A[a R b]"), Skeletons: &skeleton.Skeletons{}}
	text := s.SliceSpec("m")
	for _, want := range []string{
		"what did:\n//\n//	AG EF a\n",
		"when a trace ends:\n//\n//	AG (a -> A[a U b])\n",
		"first state alone:\n//\n//	AX b\n//	A[a R b]\n",
		"nor about one move:\n//\n//	AG (a -> A[b W c])\n//	AG (AX_P1 a | AX_P2 b)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "property") {
		t.Error(text)
	}
}
