//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/stubborn"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// twin is a row of the table beside SPIN: a program with a property, from its text to the verdict.
type twin struct {
	linearRow
	seconds float64 // what antichain should take at most; 0 is no matter
	quicker bool    // than SPIN
	smaller bool    // than pan
}

var twinTable = table{"program", "property", "holds", "states", "met by antichain", "antichain: s", "MiB", "spin, cc, pan: s", "pan alone: s", "pan: MiB",
	"pan, all orders: s", "MiB", "target", "met"}

// twinNotes say what is compared.
const twinNotes = `A time is that of the commands from the text of a program to the verdict: antichain ltl check, and spin -a, cc -O3 and pan; the
memory is that of antichain, and of pan alone. A search that finds a violation ends, and both tools leave out interleavings (partial
order reduction): so antichain meets fewer states than there are. For the last times of pan that is turned off (-DNOREDUCE). Both are
given every process moving infinitely often for the two kinds of liveness (--fair process; pan -a -f, which is weak fairness, and
that is the same here, as all processes can always move). The Promela programs in cmd/measure/testdata have the same states and
transitions as those in examples/programs, which is compared; pan is given the depth that it needs, found before. Philosophers may all
wait: that state stutters (--stutter; pan -E).
`

// twinRows are the programs of the seeds, from small ones to those that take seconds.
func twinRows() (rows []twin) {
	add := func(program string, n int64, properties ...string) {
		for _, p := range properties {
			rows = append(rows, twin{linearRow: linearRow{program: program, n: n, property: p}, quicker: n <= 7})
		}
	}
	add("Peterson", 2, safety, liveness, unfair)
	for _, n := range []int64{4, 5, 6, 7} {
		add("X1", n, safety, liveness, communal)
	}
	add("X1", 8, liveness, communal)
	add("X1", 10, liveness, communal)
	for _, n := range []int64{4, 5, 6, 7} {
		add("X2", n, safety, liveness)
	}
	add("X2", 8, liveness)
	add(philosophers, 6, safety)
	for i := range rows {
		switch r := &rows[i]; r.name() {
		case "X1, n=6: liveness":
			r.seconds = 0.1
		case "X2, n=5: liveness":
			r.seconds = 0.3
		case "X2, n=6: liveness":
			r.seconds = 2
		case "X1, n=10: liveness", "X1, n=10: communal liveness":
			r.quicker, r.smaller = true, true
		}
	}
	return rows
}

// twinBench measures twins.
type twinBench struct {
	*bench
	count int
	spin  bool           // SPIN is there
	known map[string]int // states of programs that have been found equal
}

// measured is what a row came to.
type measuredTwin struct {
	twin
	holds  bool
	states int
	looked int // of the states, those that antichain met
	own    commandOutcome
	spin   commandOutcome // of pan, but the seconds are those of all three programs
	pan    float64
	orders commandOutcome // of pan without reduction
	peer   bool           // it was there
}

// row measures antichain and SPIN in turn. Where they disagree, there are no numbers but an error.
func (b *twinBench) row(r twin) (m measuredTwin, err error) {
	m = measuredTwin{twin: r, peer: b.spin}
	if m.states, err = b.states(r); err != nil {
		return m, err
	}
	if m.looked, err = b.looked(r); err != nil {
		return m, err
	}
	task, err := b.task(r)
	if err != nil {
		return m, err
	}
	whole := task
	whole.orders = true
	if b.spin {
		if _, err := task.deepEnough(); err != nil {
			return m, err
		}
		if _, err := whole.deepEnough(); err != nil {
			return m, err
		}
	}
	var own, spin, pan, orders []float64
	for i := range b.count {
		t, err := b.decide(r, byProduct)
		if err != nil {
			return m, err
		}
		if i > 0 && m.holds != (t.code == 0) {
			return m, fmt.Errorf("antichain says that it holds, and that it does not")
		}
		m.holds = t.code == 0
		own, m.own.mib = append(own, t.seconds), max(m.own.mib, t.mib)
		if !b.spin {
			continue
		}
		s, err := task.agreeing(m.holds)
		if err != nil {
			return m, err
		}
		w, err := whole.agreeing(m.holds)
		if err != nil {
			return m, err
		}
		spin, pan, m.spin.mib = append(spin, s.seconds), append(pan, s.pan.seconds), max(m.spin.mib, s.pan.mib)
		orders, m.orders.mib = append(orders, w.pan.seconds), max(m.orders.mib, w.pan.mib)
	}
	m.own.seconds, m.spin.seconds, m.pan, m.orders.seconds = median(own), median(spin), median(pan), median(orders)
	return m, nil
}

// agreeing runs a task. It is an error if its verdict is another one than that of antichain.
func (t spinTask) agreeing(holds bool) (spinResult, error) {
	s, err := t.run()
	switch {
	case err != nil:
	case s.truncated && s.holds:
		err = fmt.Errorf("a depth of %d was not enough for pan", t.depth)
	case s.holds != holds:
		err = fmt.Errorf("it holds: antichain says %v, SPIN says %v", holds, s.holds)
	}
	return s, err
}

// looked returns how many states antichain meets, as ltl check does: a violation ends the search,
// and interleavings are left out.
func (b *twinBench) looked(r twin) (int, error) {
	file, err := r.read(filepath.Join(b.root, "examples/programs"))
	if err != nil {
		return 0, err
	}
	program, err := r.system(file)
	if err != nil {
		return 0, err
	}
	f, err := temporal.Parse("formula", r.formula(), temporal.InfiniteLTL)
	if err != nil {
		return 0, err
	}
	fairness := kripke.Unfair
	if r.kind() == fairLoop {
		fairness = kripke.Process
	}
	sys, err := stubborn.Reduce(program, f, fairness)
	if err != nil {
		return 0, err
	}
	met := kripke.Remember(kripke.Stutter(sys))
	_, err = tableau.Check(context.Background(), met, fairness, f)
	return met.States(), err
}

// The methods of antichain ltl check.
const (
	byProduct        = "product"
	bySatisfiability = "satisfiability"
)

// decide runs antichain ltl check.
func (b *bench) decide(r twin, method string) (commandOutcome, error) {
	args := []string{"ltl", "check", "--by", method, "--timeout", commandLimit.String(), "--model", r.file(filepath.Join(b.root, "examples/programs"))}
	if r.program != "Peterson" {
		args = append(args, "--param", fmt.Sprintf("n=%d", r.n))
	}
	if r.kind() == fairLoop {
		args = append(args, "--fair", kripke.Process.String())
	}
	if r.program == philosophers {
		args = append(args, "--stutter")
	}
	return timed("", nil, b.path("antichain"), append(args, r.formula())...)
}

func (r *twin) kind() spinKind {
	switch r.property {
	case safety:
		return badState
	case unfair:
		return badLoop
	}
	return fairLoop
}

// task returns what SPIN is given.
func (b *twinBench) task(r twin) (spinTask, error) {
	text, err := os.ReadFile(filepath.Join(b.root, "cmd/measure/testdata", strings.ToLower(r.program)+".pml"))
	return spinTask{text: string(text), processes: r.n, defines: []string{fmt.Sprintf("n=%d", r.n)}, property: spinFormula(r.formula()), kind: r.kind()}, err
}

// states counts the states of a program, once by antichain and once by SPIN.
func (b *twinBench) states(r twin) (int, error) {
	name := fmt.Sprintf("%s, n=%d", r.program, r.n)
	if n, ok := b.known[name]; ok {
		return n, nil
	}
	file, err := r.read(filepath.Join(b.root, "examples/programs"))
	if err != nil {
		return 0, err
	}
	s, err := r.system(file)
	if err != nil {
		return 0, err
	}
	g, err := kripke.Explore(context.Background(), s)
	if err != nil {
		return 0, err
	}
	if r.program != philosophers { // which have no row with fairness
		if err := alwaysMoving(g); err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
	}
	if b.spin {
		task, err := b.task(r)
		if err != nil {
			return 0, err
		}
		task.kind, task.property, task.orders = everyState, "", true
		s, err := task.deepEnough()
		if err != nil {
			return 0, err
		}
		// pan counts one transition to the initial state.
		if s.states != g.States() || s.transitions != g.Len()+1 {
			return 0, fmt.Errorf("%s is no twin: it has %d states and %d transitions, that of SPIN has %d and %d", name, g.States(), g.Len(), s.states, s.transitions-1)
		}
	}
	b.known[name] = g.States()
	return g.States(), nil
}

// alwaysMoving checks that every process can move in every state. Then weak fairness is that every
// process moves infinitely often.
func alwaysMoving(g *kripke.Graph) error {
	for s := range kripke.State(g.States()) {
		for p, name := range g.Processes() {
			if !slices.Contains(g.MovedBy(s), int32(p)) {
				return fmt.Errorf("process %s cannot move in state %d: the two kinds of fairness differ", name, s)
			}
		}
	}
	return nil
}

// cells returns the row of the table.
func (m *measuredTwin) cells() []string {
	title := m.program
	if m.program != "Peterson" {
		title = fmt.Sprintf("%s, n=%d", m.program, m.n)
	}
	cells := []string{title, m.property, map[bool]string{true: "yes", false: "no"}[m.holds], fmt.Sprint(m.states), fmt.Sprint(m.looked), precise(m.own.seconds), number(m.own.mib)}
	if m.peer {
		cells = append(cells, precise(m.spin.seconds), precise(m.pan), number(m.spin.mib), precise(m.orders.seconds), number(m.orders.mib))
	} else {
		cells = append(cells, "-", "-", "-", "-", "-")
	}
	return append(cells, m.wanted(), m.met())
}

func precise(seconds float64) string { return fmt.Sprintf("%.3f", seconds) }

// wanted is the target in words.
func (r *twin) wanted() string {
	var parts []string
	if r.seconds > 0 {
		parts = append(parts, fmt.Sprintf("< %v s", r.seconds))
	}
	if r.quicker {
		parts = append(parts, "quicker")
	}
	if r.smaller {
		parts = append(parts, "smaller")
	}
	return strings.Join(parts, ", ")
}

// met says whether the target is met, nothing if that is not known.
func (m *measuredTwin) met() string {
	compared := m.quicker || m.smaller
	switch {
	case m.seconds > 0 && m.own.seconds >= m.seconds,
		m.peer && m.quicker && m.own.seconds >= m.spin.seconds,
		m.peer && m.smaller && m.own.mib >= m.spin.mib:
		return "no"
	case m.wanted() == "", compared && !m.peer:
		return ""
	}
	return "yes"
}
