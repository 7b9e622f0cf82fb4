//go:build linux && (amd64 || arm64)

package soundness

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/interleaving"
	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// sound are the constructs of which antichain reports nothing that cannot be. The others join them
// when it keeps their order.
var sound = []program.Construct{
	"unbuffered", "buffered", "close", "recover", "len", "select", "poll", "reflect", "mutex", "trylock", "rwmutex",
	"waitgroup", "once", "cond", "timer", "afterfunc", "context", "syncmap", "pool", "atomic", "cas", "nested", "token",
	"stream",
}

// TestSoundness is a short form of .ci/long soundness. Its programs are the same each time, their
// schedules are not.
func TestSoundness(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	c := newComparison(&settings{seed: 22, programs: 42, constructs: sound})
	if err := c.run(t.Context(), io.Discard); err != nil {
		t.Fatal(err)
	}
	reachable, predicted := 0, 0
	for _, r := range c.rows {
		reachable, predicted = reachable+r.reachable, predicted+r.predicted
	}
	if err := c.verdict(); err != nil {
		var text strings.Builder
		if err := c.printExamples(context.WithoutCancel(t.Context()), &text); err != nil {
			t.Error(err)
		}
		t.Errorf("%v %v\n%s", err, c.notes, &text)
	}
	if predicted*5 < reachable || predicted == 0 {
		t.Errorf("of %d pairs of places %d are reported", reachable, predicted)
	}
}

// TestWithin is a short form of .ci/long predict: other orders of sections lead to all that the
// order of the run leads to.
func TestWithin(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	c := newComparison(&settings{seed: 4, programs: 48, orders: orders{locks: true},
		constructs: []program.Construct{"library", "mutex", "rwmutex", "trylock", "handover", "token", "cond", "context"}})
	if err := c.run(t.Context(), io.Discard); err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, r := range c.rows {
		kept += r.kept
	}
	if err := c.verdict(); err != nil || kept == 0 {
		t.Errorf("%v; of %d pairs: %v", err, kept, c.notes)
	}
}

// at is a marked place.
func at(n int) *program.Stmt { return &program.Stmt{Op: program.Mark, N: n} }

func goes(body ...*program.Stmt) *program.Stmt {
	return &program.Stmt{Op: program.Go, Object: -1, Body: body}
}

// explored is a program of which everything is known.
func explored(t *testing.T, p *program.Program) *interleaving.Reached {
	t.Helper()
	r, err := interleaving.Explore(p, mostStates)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines are names of operations: a place is a line of the file.
type lines struct{}

func (lines) Task(op.Task) op.Origin       { return op.Origin{} }
func (lines) Object(op.Object) string      { return "" }
func (lines) Place(p op.Place) op.Location { return op.Location{At: "main.go:" + string('0'+rune(p))} }

// What cannot be is a mistake; what rests on an assumption is counted.
func TestJudge(t *testing.T) {
	lock := &program.Stmt{Op: program.Lock}
	again := &program.Stmt{Op: program.Lock}
	p := &program.Program{Objects: []program.Object{{Kind: program.Mutex}}, Main: []*program.Stmt{goes(at(0), lock, at(1)), goes(again, at(2))}}
	b := &built{p, "0", map[int]*program.Stmt{1: lock, 2: again}}
	r := explored(t, p)
	place := func(n int) interleaving.Place { return interleaving.Place{Mark: n} }
	pair := func(a, b int) interleaving.Pair { return interleaving.Pair{place(a), place(b)} }
	stuck := func(at ...op.Place) builtin.Finding {
		f := builtin.Finding{Property: builtin.Stuck, How: builtin.Predicted}
		for _, a := range at {
			f.Parties = append(f.Parties, builtin.Party{At: a})
		}
		return f
	}
	assumed := stuck(1, 2)
	assumed.Guess = new(builtin.Guess)
	reordered := stuck(1, 2)
	reordered.How = builtin.Reordered
	tests := []struct {
		name  string
		o     observation
		kinds []string
	}{
		{"reachable", observation{places: []interleaving.Place{place(0), place(2)}, pairs: map[interleaving.Pair]string{pair(0, 2): "observed"}}, nil},
		{"not reachable", observation{pairs: map[interleaving.Pair]string{pair(1, 2): "predicted"}}, []string{"pair"}},
		{"not known", observation{places: []interleaving.Place{place(7)}}, []string{unseen}},
		{"doubted", observation{pairs: map[interleaving.Pair]string{pair(1, 2): "predicted, locks reordered"}}, nil},
		{"lost", observation{kept: 1, lost: []interleaving.Pair{pair(0, 2)}}, []string{"lost"}},
		{"another verdict", observation{temporal: []interleaving.Pair{pair(0, 2)}}, []string{"temporal"}},
		{"another verdict on the fly", observation{streamed: []interleaving.Pair{pair(0, 2)}}, []string{"stream"}},
		{"stuck", observation{findings: []builtin.Finding{stuck(1), stuck(2)}}, nil},
		{"not both", observation{findings: []builtin.Finding{stuck(1, 2)}}, []string{"stuck"}},
		{"one somewhere in the library", observation{findings: []builtin.Finding{stuck(1, 3)}}, nil},
		{"assumed", observation{findings: []builtin.Finding{assumed, reordered}}, nil},
		{"does not fail", observation{findings: []builtin.Finding{{Property: builtin.Unlock, Parties: []builtin.Party{{At: 1}}}}}, []string{"unlock"}},
	}
	for _, tt := range tests {
		tt.o.names = lines{}
		j := judge(b, r, &tt.o)
		var kinds []string
		for _, m := range j.wrong {
			kinds = append(kinds, m.kind)
		}
		if !slices.Equal(kinds, tt.kinds) {
			t.Errorf("%s: mistakes %q, want %q", tt.name, kinds, tt.kinds)
		}
		if tt.name == "assumed" && (j.assumed != 2 || j.unshown != 2 || j.certain != 0) {
			t.Errorf("assumed: %+v", j)
		}
	}
}

// A failure that an interleaving shows is no mistake.
func TestJudgeFailures(t *testing.T) {
	unlock := &program.Stmt{Op: program.Unlock}
	add, wait := &program.Stmt{Op: program.Add, Object: 1, N: 1}, &program.Stmt{Op: program.Wait, Object: 1}
	p := &program.Program{
		Objects: []program.Object{{Kind: program.Mutex}, {Kind: program.WaitGroup}},
		Main:    []*program.Stmt{goes(add), goes(wait), unlock},
	}
	b := &built{p, "0", map[int]*program.Stmt{1: unlock, 2: add, 3: wait}}
	o := &observation{names: lines{}, findings: []builtin.Finding{
		{Property: builtin.Unlock, Parties: []builtin.Party{{At: 1}}},
		{Property: builtin.WaitGroup, Parties: []builtin.Party{{At: 2}, {At: 3}}},
	}}
	if j := judge(b, explored(t, p), o); len(j.wrong) > 0 || j.certain != 2 {
		t.Errorf("%+v", j)
	}
}

// A program is made smaller until nothing can be left out.
func TestShrink(t *testing.T) {
	send := &program.Stmt{Op: program.Send, Object: 0, Value: program.Const(1)}
	end := &program.Stmt{Op: program.Close, Object: 0}
	p := &program.Program{Objects: []program.Object{{Kind: program.Chan, N: 1}}, Main: []*program.Stmt{
		at(0), goes(at(1), send, at(2)), {Op: program.If, Body: []*program.Stmt{at(3), end}, Else: []*program.Stmt{at(4)}}, at(5),
	}}
	wrong := mistake{kind: "pair", what: formula(interleaving.Pair{{Mark: 1}, {Mark: 3}})}
	e := example{program: p, reached: explored(t, p), mistake: wrong}
	small, err := e.shrink(t.Context(), func(_ context.Context, programs []*program.Program, _ []*interleaving.Reached, _ int, _ func(verdict) bool) ([]verdict, error) {
		var all []verdict
		for _, p := range programs {
			var v verdict
			v.judgement = new(judgement)
			text := p.String()
			if strings.Contains(text, "<- 1") && strings.Contains(text, "close") {
				v.wrong = []mistake{wrong}
			}
			all = append(all, v)
		}
		return all, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(small.program.Statements()); n != 2 {
		t.Errorf("%d statements are left:\n%s", n, small)
	}
	if !strings.Contains(small.String(), wrong.what) {
		t.Errorf("the formula is missing:\n%s", small)
	}
}

// A program depends on nothing but its number: a comparison can go on where another one was
// interrupted.
func TestSubjects(t *testing.T) {
	of := map[program.Construct]int{}
	for i := range 4 * len(program.Constructs) {
		s := newSubject(1, i, program.Constructs)
		of[s.construct]++
		if again := newSubject(1, i, program.Constructs); again.program.String() != s.program.String() {
			t.Errorf("program %d is not the same", i)
		}
	}
	for _, c := range program.Constructs {
		if of[c] != 2 {
			t.Errorf("%d programs of %s", of[c], c)
		}
	}
}

func TestTable(t *testing.T) {
	s := newSubject(1, 0, []program.Construct{"mutex"})
	r := &row{construct: "mutex"}
	r.add(s, verdict{judgement: &judgement{pairs: len(s.reached.Pairs), wrong: []mistake{{kind: "pair"}, {kind: "stuck"}}, certain: 3, assumed: 2, unshown: 1}})
	r.add(s, verdict{})
	want := &row{construct: "mutex", programs: 2, reachable: len(s.reached.Pairs), predicted: len(s.reached.Pairs) - 1, falsePair: 1, falseIn: 1,
		findings: 3, false: 1, assumed: 2, unshown: 1, notJudged: 1}
	if got, expected := strings.Join(r.cells(), "|"), strings.Join(withStates(want, r.states).cells(), "|"); got != expected {
		t.Errorf("%s, want %s", got, expected)
	}
	if text := table([]*row{r, {construct: "once"}}); strings.Count(text, "\n") != 4 || !strings.Contains(text, "| all |") {
		t.Errorf("table:\n%s", text)
	}
}

func withStates(r *row, states []int) *row {
	r.states = states
	return r
}

func TestParse(t *testing.T) {
	s, err := parse([]string{"-seed", "7", "-constructs", "once,cond"})
	if err != nil || s.seed != 7 || len(s.constructs) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, args := range [][]string{{"-constructs", "loops"}, {"once"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
