package ctl_test

import (
	"context"
	"errors"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/model/ctl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// mutex is a mutual exclusion of two processes that enter in any order and may stay anywhere.
func mutex() *structure {
	m := &structure{processes: []string{"1", "2"}, initial: []kripke.State{0}}
	const noncritical, trying, critical = 0, 1, 2
	numbers := map[[2]int]kripke.State{}
	var states [][2]int
	number := func(at [2]int) kripke.State {
		if _, ok := numbers[at]; !ok {
			numbers[at] = kripke.State(len(states))
			states = append(states, at)
		}
		return numbers[at]
	}
	number([2]int{})
	for s := 0; s < len(states); s++ {
		var moves []kripke.Move
		for p := range 2 {
			next := states[s]
			next[p] = (next[p] + 1) % 3
			if next[p] == critical && next[1-p] == critical {
				continue
			}
			moves = append(moves, kripke.Move{To: number(next), Process: int32(p)})
		}
		m.moves = append(m.moves, append(moves, kripke.Move{To: kripke.State(s), Process: 0}))
		m.labels = append(m.labels, map[string]bool{"a": states[s][0] == critical, "b": states[s][1] == critical,
			"c": states[s][0] == trying})
	}
	return m
}

func TestCheck(t *testing.T) {
	tests := []struct {
		formula  string
		fairness kripke.Fairness
		want     bool
	}{
		{"AG !(a & b)", kripke.Unfair, true},
		{"AG (c -> EF a)", kripke.Unfair, true},
		{"AG (c -> AF a)", kripke.Unfair, false},
		{"AG (c -> AF a)", kripke.Weak, false},
		{"AG (c -> AF a)", kripke.Process, false}, // 1 can stay where it is
		{"AG AF b", kripke.Process, true},
		// 1 can stay in its critical section, and so 2 cannot move
		{"AG AF b", kripke.Strong, false},
		{"AG AF (a | b)", kripke.Weak, true},
		{"AG AF (a | b)", kripke.Unfair, false},
		{"EGF a & EGF b", kripke.Unfair, true},
		{"AFG !a", kripke.Unfair, false},
		{"A[!a W c]", kripke.Unfair, true},
		{"A[!a U c]", kripke.Unfair, false},
		{"EX_1 c & !EX_2 c", kripke.Unfair, true},
		{"AG (b -> AX_1 !a)", kripke.Unfair, true},
	}
	for _, test := range tests {
		r, err := checker(t, mutex(), test.fairness).Check(context.Background(), parse(t, test.formula))
		if err != nil {
			t.Fatal(err)
		}
		if r.Holds != test.want {
			t.Errorf("%s with fairness %v: %v", test.formula, test.fairness, r.Holds)
		}
	}
}

// TestNoFairPath has a system whose second process never moves.
func TestNoFairPath(t *testing.T) {
	m := mutex()
	for s := range m.moves {
		m.moves[s] = []kripke.Move{{To: kripke.State(s), Process: 0}}
	}
	c := checker(t, m, kripke.Process)
	r, err := c.Check(context.Background(), parse(t, "EF true | !AG false"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Holds || r.Fair {
		t.Error("there is a path")
	}
	if r, err = checker(t, m, kripke.Strong).Check(context.Background(), parse(t, "true")); err != nil || !r.Fair {
		t.Error("there is no path that is fair to who can move")
	}
}

func TestErrors(t *testing.T) {
	c := checker(t, mutex(), kripke.Unfair)
	tests := []struct{ formula, want string }{
		{"AG (a |\n d)", `2:2: no atom "d": there are ["a" "b" "c"]`},
		{"a & EX_3 b", `1:5: no process "3": the processes are ["1" "2"]`},
	}
	for _, test := range tests {
		_, err := c.Check(context.Background(), parse(t, test.formula))
		var name *temporal.NameError
		if !errors.As(err, &name) || err.Error() != test.want {
			t.Errorf("%s: error %v, want %s", test.formula, err, test.want)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("enough")
	cancel(cause)
	if _, err := c.Check(ctx, parse(t, "a")); err != cause {
		t.Errorf("error %v of a check that was stopped", err)
	}
	dead := mutex()
	dead.moves[1] = nil
	g, err := kripke.Explore(context.Background(), dead)
	if err != nil {
		t.Fatal(err)
	}
	var end *kripke.DeadEndError
	if _, err := ctl.New(g, kripke.Unfair); !errors.As(err, &end) || end.State != 1 {
		t.Errorf("error %v of a dead end", err)
	}
}

// TestEvidenceIsBounded has a formula whose full explanation would be exponential.
func TestEvidenceIsBounded(t *testing.T) {
	m := mutex()
	text := "a"
	for range 40 {
		text = "E[(" + text + " | EX " + text + ") U EF (" + text + ")]"
		if len(text) > 1<<18 {
			break
		}
	}
	r, err := checker(t, m, kripke.Unfair).Check(context.Background(), parse(t, text))
	if err != nil {
		t.Fatal(err)
	}
	var size func(e *ctl.Evidence) int
	size = func(e *ctl.Evidence) int {
		n := 1
		for _, b := range e.Because {
			n += size(b)
		}
		return n
	}
	if n := size(evidence(t, r, r.Witness)); n > 10*ctl.MaxEvidence {
		t.Errorf("%d reasons", n)
	}
}
