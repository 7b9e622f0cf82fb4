//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/stubborn"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// largeModels prints what counting states and checking LTL takes on larger models, beside SPIN
// where that is.
func largeModels(args []string) error {
	flags := selecting("models", "rows whose names match this `pattern`: \"bakery, n=5, most=2: all states\"")
	flags.canBeShort("models of some 100,000 states")
	if err := flags.parse(args); err != nil {
		return err
	}
	b, err := newCommandBench()
	if err != nil {
		return err
	}
	defer b.remove()
	m := &modelBench{bench: b, count: *flags.count, spin: present("SPIN", "apt-get install spin gcc", spinVersion)}
	fmt.Printf("Medians of %d, of processor time; memory is the most of all.\n\n", m.count)
	t := modelTable.start()
	flush(t)
	err = eachRow(modelRows(*flags.short), (*modelRow).name, flags.pattern, func(r *modelRow) error {
		got, err := m.row(*r)
		if err != nil {
			return err
		}
		t.add(got.cells()...)
		flush(t)
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Print("\n", modelNotes)
	return nil
}

var modelTable = table{"model", "property", "holds", "antichain: states", "s", "MiB", "pan: states", "s", "MiB", "pan, all orders: states", "s", "MiB"}

// modelNotes say what is compared.
const modelNotes = `A time is that of antichain program, or antichain ltl check, and that of pan, which cc -O3 has compiled. What spin and cc take
before, a second or two, is left out. The states are those that a search has met; pan counts a state once for each state of the
automaton of the property. All states are counted without reduction, by both, and the numbers of states and transitions are compared.
For properties both leave out interleavings (partial order reduction), and in the last columns pan does not (-DNOREDUCE). A state
without successors stutters (--stutter; pan -E). The stack of pan takes memory in proportion to the depth that it is given; what is
beyond the depth that it has reached is not counted. A dash: pan has not come to an end in ten minutes.
`

// modelParameters are the parameters of a model, in the order of its name.
type modelParameters []gcl.Parameter

func (p modelParameters) String() string {
	var parts []string
	for _, x := range p {
		parts = append(parts, fmt.Sprintf("%s=%d", x.Name, x.Value))
	}
	return strings.Join(parts, ", ")
}

// modelRow is a row of the table: a model with a property, or all of its states.
type modelRow struct {
	model      string
	parameters modelParameters
	modelProperty
}

func (r *modelRow) name() string {
	return fmt.Sprintf("%s, %s: %s", r.model, r.parameters, r.property)
}

// modelBench measures rows.
type modelBench struct {
	*bench
	count int
	spin  bool // SPIN is there
}

// measuredModel is what a row came to.
type measuredModel struct {
	modelRow
	states int // that antichain met
	own    commandOutcome
	pan    *spinResult // with reduction; nil if there is none
	orders *spinResult // without
}

// row measures antichain and SPIN. Where they disagree, there are no numbers but an error.
func (b *modelBench) row(r modelRow) (m measuredModel, err error) {
	m = measuredModel{modelRow: r}
	var transitions int
	if m.own, err = severalCPU(b.count, func() (commandOutcome, error) { return b.own(r) }); err != nil {
		return m, err
	}
	if m.states, transitions, err = b.states(r, m.own.out); err != nil || !b.spin {
		return m, err
	}
	task, err := b.task(r)
	if err != nil {
		return m, err
	}
	if task.kind != everyState {
		if m.pan, err = b.pan(task, r.holds); err != nil {
			return m, err
		}
	}
	task.orders = true
	if m.orders, err = b.pan(task, r.holds); err != nil || m.orders == nil || task.kind != everyState {
		return m, err
	}
	// pan counts one transition to the initial state.
	if m.orders.states != m.states || m.orders.transitions != transitions+1 {
		err = fmt.Errorf("this is no twin: it has %d states and %d transitions, that of SPIN has %d and %d", m.states, transitions, m.orders.states, m.orders.transitions-1)
	}
	return m, err
}

// severalCPU is several, but the seconds are those of the processor.
func severalCPU(count int, once func() (commandOutcome, error)) (commandOutcome, error) {
	var last commandOutcome
	all, err := several(count, func() (commandOutcome, error) {
		t, err := once()
		t.seconds, last = t.cpu, t
		return t, err
	})
	all.out, all.code = last.out, last.code
	return all, err
}

// own runs antichain. An error is also another verdict than the one there is.
func (b *modelBench) own(r modelRow) (commandOutcome, error) {
	args := []string{"program", "--json"}
	if r.kind != everyState {
		args = []string{"ltl", "check", "--stutter"}
	}
	args = append(args, "--timeout", commandLimit.String(), "--memory", modelMemory)
	for _, p := range r.parameters {
		args = append(args, "--param", fmt.Sprintf("%s=%d", p.Name, p.Value))
	}
	if r.kind == everyState {
		args = append(args, b.file(r, "gcl"))
	} else {
		args = append(args, "--model", b.file(r, "gcl"), r.formula)
	}
	t, err := timed("", nil, b.path("antichain"), args...)
	if holds := t.code == 0; err == nil && holds != r.holds {
		err = fmt.Errorf("it holds: antichain says %v, but that is not so", holds)
	}
	return t, err
}

// modelMemory is what antichain may take.
const modelMemory = "6GiB"

// file is where a model is, in one of the two languages.
func (b *bench) file(r modelRow, language string) string {
	return filepath.Join(b.root, "cmd/measure/testdata/models", r.model+"."+language)
}

var looked = regexp.MustCompile(`: (\d+) states were looked at`)

// states returns the number of states, and for all states that of transitions, which antichain has
// met. It prints them, but not those of a search that has found a violation.
func (b *modelBench) states(r modelRow, out string) (states, transitions int, err error) {
	switch {
	case r.kind == everyState:
		var size struct{ States, Transitions int }
		err = json.Unmarshal([]byte(out), &size)
		return size.States, size.Transitions, err
	case r.holds:
		found := looked.FindStringSubmatch(out)
		if found == nil {
			return 0, 0, fmt.Errorf("no number of states in %q", out)
		}
		states, err = strconv.Atoi(found[1])
		return states, 0, err
	}
	sys, f, err := r.open(b.file(r, "gcl"))
	if err != nil {
		return 0, 0, err
	}
	reduced, err := stubborn.Reduce(sys, f, kripke.Unfair)
	if err != nil {
		return 0, 0, err
	}
	met := kripke.Remember(kripke.Stutter(reduced))
	_, err = tableau.Check(context.Background(), met, kripke.Unfair, f)
	return met.States(), 0, err
}

// open reads the model, and the formula of a property.
func (r *modelRow) open(file string) (*gcl.System, *temporal.Formula, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	parsed, err := gcl.Parse(file, string(text))
	if err != nil {
		return nil, nil, err
	}
	values := map[string]int64{}
	for _, p := range r.parameters {
		values[p.Name] = p.Value
	}
	sys, err := gcl.New(parsed, values)
	if err != nil || r.kind == everyState {
		return sys, nil, err
	}
	f, err := temporal.Parse("formula", r.formula, temporal.InfiniteLTL)
	return sys, f, err
}

// task returns what SPIN is given.
func (b *modelBench) task(r modelRow) (spinTask, error) {
	text, err := os.ReadFile(b.file(r, "pml"))
	t := spinTask{text: string(text), property: spinFormula(r.formula), kind: r.kind, depth: modelDepth}
	for _, p := range r.parameters {
		t.defines = append(t.defines, fmt.Sprintf("%s=%d", p.Name, p.Value))
	}
	return t, err
}

// modelDepth is the depth that pan is given first.
const modelDepth = 5_000_000

// pan runs a task as often as rows are measured. The memory is what it would be if the depth that
// is needed had been known. Without an error the result may be nil: pan has come to no end.
func (b *modelBench) pan(t spinTask, holds bool) (*spinResult, error) {
	var last spinResult
	cost, err := severalCPU(b.count, func() (commandOutcome, error) {
		s, err := t.deepEnough()
		last, t.depth = s, s.limit
		return s.pan, err
	})
	if err != nil {
		fmt.Fprintf(os.Stderr, "measure: no result of SPIN: %v\n", err)
		return nil, nil
	}
	if last.holds != holds {
		return nil, fmt.Errorf("it holds: antichain says %v, SPIN says %v", holds, last.holds)
	}
	last.pan = cost
	last.pan.mib -= last.stack * (1 - float64(last.depth)/float64(last.limit))
	return &last, nil
}

// cells returns the row of the table.
func (m *measuredModel) cells() []string {
	holds := map[bool]string{true: "yes", false: "no"}[m.holds]
	if m.kind == everyState {
		holds = ""
	}
	cells := []string{m.model + ", " + m.parameters.String(), m.property, holds, fmt.Sprint(m.states), seconds(m.own.seconds), number(m.own.mib)}
	for _, p := range []*spinResult{m.pan, m.orders} {
		if p == nil {
			cells = append(cells, "-", "-", "-")
		} else {
			cells = append(cells, fmt.Sprint(p.states), seconds(p.pan.seconds), number(p.pan.mib))
		}
	}
	return cells
}
