package process

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/san"
	lattices "github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// phases are the local states of a net's tasks, by what a specification can see: all those of a
// task between two events of traced functions are alike, but for the phase in which a function has
// just been entered or left.
type phases struct {
	lat   *lattices.Lattice
	of    map[string][]int    // phase of a task after so many events
	spans map[string][][2]int // first and last number of events in each phase
}

func phasesOf(t tb, h *event.Header, events []event.Event) *phases {
	tr := santest.Trace{Header: h}
	for i := range events {
		tr.Events = append(tr.Events, &events[i])
	}
	net, err := tr.Build()
	if err != nil {
		t.Fatal(err)
	}
	p := &phases{lat: lattices.NewLattice(net), of: map[string][]int{}, spans: map[string][][2]int{}}
	for i := range net.Tasks() {
		p.of[net.Name(san.Task(i))] = []int{0}
		p.spans[net.Name(san.Task(i))] = [][2]int{{0, 0}}
	}
	fresh := map[string]bool{}
	for _, e := range tr.Events {
		spans := p.spans[e.Task]
		k := len(p.of[e.Task])
		if isTraced(e) || fresh[e.Task] {
			spans = append(spans, [2]int{k, k})
		}
		fresh[e.Task] = e.Enter != "" || e.Exit != ""
		spans[len(spans)-1][1] = k
		p.of[e.Task], p.spans[e.Task] = append(p.of[e.Task], len(spans)-1), spans
	}
	return p
}

// taskPhase is a task in a phase.
type taskPhase struct {
	task  string
	phase int
}

// places are all of them.
func (p *phases) places() (all []taskPhase) {
	net := p.lat.Net()
	for n := range net.Tasks() {
		for i := range p.spans[net.Name(san.Task(n))] {
			all = append(all, taskPhase{net.Name(san.Task(n)), i})
		}
	}
	return all
}

// isIn reports whether a task is in a phase in a slice.
func (p *phases) isIn(at taskPhase, i lattices.Ideal) bool {
	t, _ := p.lat.Net().Lookup(at.task)
	return p.of[at.task][i.At(t)] == at.phase
}

// reach returns the least slice in which a task is in a phase, or in one behind it.
func (p *phases) reach(at taskPhase) lattices.Ideal {
	t, _ := p.lat.Net().Lookup(at.task)
	if k := p.spans[at.task][at.phase][0]; k > 0 {
		return p.lat.Down(san.Action{Task: t, K: int32(k)})
	}
	if by, ok := p.lat.Net().SpawnedBy(t); ok {
		return p.lat.Down(by)
	}
	return p.lat.Bottom()
}

// has reports whether a valid slice has all tasks in the phases that they are in in a slice of
// another net of the same run.
func (p *phases) has(sections *lattices.Sections, i lattices.Ideal, in *phases) bool {
	least, net := p.lat.Bottom(), in.lat.Net()
	for n := range net.Tasks() {
		if t := san.Task(n); in.lat.Created(i, t) {
			least = least.Join(p.reach(taskPhase{net.Name(t), in.of[net.Name(t)][i.At(t)]}))
		}
	}
	least, ok := sections.Closure(least)
	for n := range net.Tasks() {
		name := net.Name(san.Task(n))
		t, _ := p.lat.Net().Lookup(name)
		ok = ok && least.At(t) <= p.spans[name][in.of[name][i.At(san.Task(n))]][1]
	}
	return ok
}

// exclude fails if a section begins while another one is open that excludes it, or if one ends that
// has not begun. The first element that is put into a channel that starts full ends none.
func exclude(t tb, events []event.Event) {
	type state struct{ writers, readers int }
	locks, effects := map[string]*state{}, new(event.Sections)
	for i := range events {
		effects.Note(events[i].Op, events[i].Obj)
	}
	for i := range events {
		e := &events[i]
		does := effects.Of(e.Op, e.Obj)
		if !does.Begins && !does.Ends {
			continue
		}
		l := locks[e.Obj]
		if l == nil {
			l = new(state)
			locks[e.Obj] = l
		}
		open, other := &l.writers, l.readers
		if does.Reads {
			open, other = &l.readers, 0
		}
		switch {
		case does.Begins && l.writers+other == 0:
			*open++
		case does.Ends && *open > 0:
			*open--
		case e.Op == "send"+event.Serves && does.Ends:
		default:
			t.Fatalf("%s with %+v\n%q", short(e), *l, lines(events))
		}
	}
}

// apart reports whether sections say that two tasks hold a lock all through two phases, and that
// one excludes the other.
func (p *phases) apart(sections *lattices.Sections, a, b taskPhase) bool {
	held := func(at taskPhase) []lattices.Hold {
		t, _ := p.lat.Net().Lookup(at.task)
		span := p.spans[at.task][at.phase]
		return sections.Held(t, span[0], span[1], nil)
	}
	for _, x := range held(a) {
		for _, y := range held(b) {
			if x.Lock == y.Lock && (x.Excludes || y.Excludes) {
				return true
			}
		}
	}
	return false
}

// somewhere gives lock operations places in the program and in the library. Mostly a section ends
// where it has begun.
func somewhere(t *rapid.T, records []ring.Record) {
	library := rapid.SliceOfN(rapid.Bool(), 8, 8).Draw(t, "library")
	for i := range records {
		r := &records[i]
		switch r.Op() {
		case ring.OpLock, ring.OpUnlock, ring.OpRLock, ring.OpRUnlock:
			if library[(r.Ctx+r.Aux/100+r.Addr/4)%8] != (rapid.IntRange(0, 7).Draw(t, "elsewhere") == 0) {
				r.PC[0] = libraryPC + 1
			}
		}
	}
}

// locksAndFunctions are steps of runs that mostly use locks in functions and between them.
var locksAndFunctions = []string{
	"go", "enter", "exit", "enter", "exit", "enter", "exit", "mutex", "mutex", "mutex", "mutex", "rwmutex", "rwmutex",
	"chan", "token", "token", "token", "overwrite",
}

// TestRunWithinFreeOrder looks for the states of a run in its net without the order of critical
// sections: that has them all, however sections of the program and of the library are mixed, end,
// or do not. Variables are left out: there events come after those whose values they have seen,
// which a race does not order in the run.
func TestRunWithinFreeOrder(t *testing.T) {
	const most = 400 // pairs of phases
	states, sectioned, tokens := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := newScheduler(t)
		if rapid.IntRange(0, 9).Draw(t, "all") > 0 {
			s.steps = locksAndFunctions
		}
		if rapid.Bool().Draw(t, "locked before") {
			s.locked[100], s.entered[100] = 1, past{} // before it was traced
		}
		s.run()
		var records []ring.Record
		for _, r := range s.records {
			if r.Kind != ring.KindStmt {
				r.Index = uint64(len(records))
				records = append(records, r)
			}
		}
		somewhere(t, records)
		opt := Options{Env: rapid.Bool().Draw(t, "env"), Watch: op.Discard, Record: true}
		h, freed, err := freeOrder(t, records, opt)
		if err != nil {
			t.Skip(err)
		}
		p := newProcess(t, testTable(), Options{Env: opt.Env, Watch: op.Discard})
		ran := run(t, p, records)
		inRun, inFree := phasesOf(t, p.Header(), ran), phasesOf(t, h, freed)
		sections := lattices.NewSections(inFree.lat)
		for task, spans := range inRun.spans {
			if len(spans) != len(inFree.spans[task]) {
				t.Fatalf("%s has %d phases, without the order of sections %d", task, len(spans),
					len(inFree.spans[task]))
			}
		}
		if len(freed) > len(ran) {
			sectioned++
		}
		if slices.ContainsFunc(freed, func(e event.Event) bool { return event.WithoutEffect(e.Op) != e.Op }) {
			tokens++
		}
		if !s.overwrites {
			exclude(t, freed)
		}
		pairs := 0
		for i, a := range inRun.places() {
			for _, b := range inRun.places()[:i] {
				if pairs++; pairs > most {
					return
				}
				slice := inRun.reach(a).Join(inRun.reach(b))
				states++
				if !inFree.has(sections, slice, inRun) {
					t.Fatalf("%v, of %v and %v, is missing\n%q\n%q", slice, a, b, lines(ran), lines(freed))
				}
				if a.task != b.task && inRun.isIn(a, slice) && inRun.isIn(b, slice) && inFree.apart(sections, a, b) {
					t.Fatalf("%v, of %v and %v, is kept apart by a lock\n%q\n%q", slice, a, b, lines(ran), lines(freed))
				}
			}
		}
	})
	t.Logf("%d states; %d runs have sections of the program, %d of channels", states, sectioned, tokens)
	if sectioned == 0 || tokens == 0 {
		t.Errorf("%d runs have sections of the program, %d of channels", sectioned, tokens)
	}
}
