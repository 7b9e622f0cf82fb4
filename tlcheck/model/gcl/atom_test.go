package gcl_test

import (
	"strconv"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Propositions say what a person sees of a state.
func TestAtoms(t *testing.T) {
	g := explore(t, load(t, "dekker.gcl", nil))
	holds := func(name string, s kripke.State) bool {
		a, err := g.Atom(name)
		if err != nil {
			t.Fatal(err)
		}
		return g.Holds(a, s)
	}
	for s := range kripke.State(g.States()) {
		fields := g.Describe(s)
		if len(fields) != 5 {
			t.Fatalf("%d fields", len(fields))
		}
		values := map[string]int{}
		for _, f := range fields {
			if f.Process == kripke.NoProcess {
				values[f.Name], _ = strconv.Atoi(f.Value)
				continue
			}
			for k := range 12 {
				label := string("mn"[f.Process]) + strconv.Itoa(k)
				if got := holds(g.Processes()[f.Process]+".at."+label, s); got != (f.Value == label) {
					t.Fatalf("%s in %s: %v", label, kripke.Text(g, s), got)
				}
			}
		}
		turn, c0, c1 := values["turn"], values["c0"], values["c1"]
		for name, want := range map[string]bool{
			"turn": turn == 1, "turn == 1": turn == 1, "turn=0": turn == 0, "c0<=c1": c0 <= c1,
			"c0 + c1 > turn":           c0+c1 > turn,
			"not (c0 = 1 or c1 != c0)": c0 != 1 && c1 == c0, "true": true,
		} {
			if got := holds(name, s); got != want {
				t.Fatalf("%s in %s: %v", name, kripke.Text(g, s), got)
			}
		}
	}
}

// Parameters are constants of propositions.
func TestAtomOfParameter(t *testing.T) {
	s := load(t, "x2.gcl", parameters(4))
	a, err := s.Atom("r1 == n + 1")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.Atom("r1 == n + 1"); err != nil || again != a {
		t.Error(again, err)
	}
	if !s.Holds(a, s.Initial()[0]) {
		t.Error("r1 is not 5")
	}
}

func TestAtomMistakes(t *testing.T) {
	s := load(t, "dekker.gcl", nil)
	for name, want := range map[string]string{
		"P2.at.m1":     "there is no process P2 (did you mean P0?): there are P0, P1",
		"P0.at.n1":     "there is no label of P0 called n1 (did you mean m1?): there are m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11",
		"trun = 1":     "proposition trun = 1: there is no variable trun (did you mean turn?)",
		"critical = 1": "proposition critical = 1: critical is an output, which cannot be read (declare it with a range)",
		"turn =":       "proposition turn =: found the end of the program; expected a number, a variable or a condition",
		"turn + 1":     "proposition turn + 1: this is a number; expected a condition (compare it with another number)",
		"turn = 1 1":   `proposition turn = 1 1: found "1"; expected an operator or the end`,
	} {
		if _, err := s.Atom(name); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", name, err, want)
		}
	}
}

// Moves say in words what a process does.
func TestLabel(t *testing.T) {
	for _, test := range []struct {
		name, atom string // of a state
		want       []string
	}{
		{"peterson.gcl", "P1.at.L2", []string{"L2 if y2 = 0 or t = 0 goto L3", "M0 goto M0",
			"M0 { y2 := 1; goto M1 }"}},
		{"x2.gcl", "P1.at.L5", []string{"L5 if t1 = 0 { y := 0; goto L0 }", "L0 goto L0", "L0 { t2 := 1; goto L1 }"}},
		{"dekker.gcl", "P0.at.m11", []string{"m2 c0 := 0", "n1 c1 := 1"}},
		{"dekker.gcl", "P0.at.m6", []string{"m7 while c1 = 0: yes", "n1 c1 := 1"}},
		{"dekker.gcl", "P1.at.n4", []string{"m11 while true: yes", "n5 c1 := 0"}},
	} {
		g := explore(t, load(t, test.name, nil))
		a, err := g.Atom(test.atom)
		if err != nil {
			t.Fatal(err)
		}
		s := kripke.State(0)
		for !g.Holds(a, s) {
			s++
		}
		moves, err := g.Moves(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range moves {
			got = append(got, g.Label(s, m))
		}
		if len(got) != len(test.want) {
			t.Errorf("%s: %q, want %q", test.atom, got, test.want)
			continue
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%s: %q, want %q", test.atom, got[i], test.want[i])
			}
		}
	}
}

// FuzzParse: a valid text is printed as the same program, which can run.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"dekker.gcl", "peterson.gcl", "challenge.gcl", "x1.gcl", "x2.gcl"} {
		f.Add(gcl.Format(parse(f, name)))
	}
	f.Add("process P if 1=1 then if 2=2 then skip else {skip; skip} .")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := gcl.Parse("p.gcl", text)
		if err != nil {
			return
		}
		printed := gcl.Format(p)
		again, err := gcl.Parse("p.gcl", printed)
		if err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
		if second := gcl.Format(again); second != printed {
			t.Fatalf("%s\nis printed as\n%s", printed, second)
		}
		s, err := gcl.New(p, nil)
		if err != nil {
			return
		}
		for state := 0; state < min(s.States(), 20); state++ {
			if _, err := s.Moves(nil, kripke.State(state)); err != nil {
				return
			}
			_ = kripke.Text(s, kripke.State(state))
		}
	})
}
