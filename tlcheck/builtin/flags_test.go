package builtin

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tracer/op"
)

// flagProgram is a program whose tasks each run one of some functions that close a channel unless a
// variable is set. Of the functions some hold a lock, or look twice, or look and set in one step.
type flagProgram struct {
	functions [][]op.Op // AtomicLoad and an exchange return if the variable is set
	tasks     []int     // the function of each
	behind    []int     // the task whose end each waits for, -1 for none
}

// flagState is where the tasks are.
type flagState struct {
	at     []int
	set    bool
	closed int
	holder int // of the lock, -1 for none
}

func (p *flagProgram) start() *flagState {
	return &flagState{at: make([]int, len(p.tasks)), holder: -1}
}

func (s *flagState) clone() *flagState {
	c := *s
	c.at = slices.Clone(s.at)
	return &c
}

// next returns what a task does next, if it can.
func (p *flagProgram) next(s *flagState, t int) (o op.Op, can bool) {
	code := p.functions[p.tasks[t]]
	if s.at[t] == len(code) || p.behind[t] >= 0 && s.at[p.behind[t]] < len(p.functions[p.tasks[p.behind[t]]]) {
		return op.Op{}, false
	}
	o = code[s.at[t]]
	return o, o.Kind != op.Lock || s.holder < 0
}

// step lets a task do its next operation. One that returns unlocks before.
func (p *flagProgram) step(s *flagState, t int) {
	code := p.functions[p.tasks[t]]
	o := code[s.at[t]]
	s.at[t]++
	looks := o.Kind == op.AtomicLoad || o.Kind == op.AtomicStore && o.Exchanges()
	switch {
	case looks && s.set && s.holder == t:
		s.at[t] = len(code) - 1
	case looks && s.set:
		s.at[t] = len(code)
	case o.Kind == op.AtomicStore:
		s.set = true
	case o.Kind == op.Lock:
		s.holder = t
	case o.Kind == op.Unlock:
		s.holder = -1
	case o.Kind == op.Close:
		s.closed++
	}
}

// closesTwice reports whether some order closes the channel twice.
func (p *flagProgram) closesTwice() bool {
	seen := map[string]bool{}
	var explore func(*flagState) bool
	explore = func(s *flagState) bool {
		key := fmt.Sprint(*s)
		if seen[key] {
			return false
		}
		seen[key] = true
		for t := range p.tasks {
			if _, can := p.next(s, t); !can {
				continue
			}
			after := s.clone()
			if p.step(after, t); after.closed > 1 || explore(after) {
				return true
			}
		}
		return false
	}
	return explore(p.start())
}

func drawFlagProgram(t *rapid.T) *flagProgram {
	p := &flagProgram{}
	for range 2 {
		load, store, closes := op.Op{Kind: op.AtomicLoad}, op.Op{Kind: op.AtomicStore}, op.Op{Kind: op.Close}
		code := rapid.SampledFrom([][]op.Op{
			{load, store, closes}, {load, closes, store}, {load, load, store, closes},
			{load, {Kind: op.AtomicStore, Arg: 1}, closes},
			{{Kind: op.AtomicStore, Arg: 1}, closes}, {load, {Kind: op.Signal}, store, closes},
		}).Draw(t, "code")
		if rapid.Bool().Draw(t, "locks") {
			at := rapid.IntRange(0, len(code)-1).Draw(t, "from")
			code = append(slices.Insert(slices.Clone(code), at, op.Op{Kind: op.Lock}), op.Op{Kind: op.Unlock})
		}
		p.functions = append(p.functions, code)
	}
	for i := range rapid.IntRange(2, 3).Draw(t, "tasks") {
		p.tasks = append(p.tasks, rapid.IntRange(0, 1).Draw(t, "function"))
		p.behind = append(p.behind, rapid.IntRange(-1, i-1).Draw(t, "behind"))
	}
	return p
}

// run returns a run in which the next task is chosen of those that can go on, with what comes
// before what.
func (p *flagProgram) run(choose func(can []int) int) (*netRun, *flagState) {
	const channel, lock, address = 1, 2, 8
	r, s := newNetRun(), p.start()
	var stored, loaded, unlocked bits
	for {
		var can []int
		for t := range p.tasks {
			if _, ok := p.next(s, t); ok {
				can = append(can, t)
			}
		}
		if len(can) == 0 || s.closed > 1 {
			return r, s
		}
		n := choose(can)
		o, _ := p.next(s, n)
		place := op.Place(1 + 10*p.tasks[n] + s.at[n])
		var learnt bits
		if s.at[n] == 0 && p.behind[n] >= 0 {
			r.know[op.Task(n)] |= r.know[op.Task(p.behind[n])]
		}
		o.Task = op.Task(n)
		switch o.Kind {
		case op.AtomicLoad:
			o.Address, learnt = address, stored
		case op.AtomicStore:
			o.Address, learnt = address, stored|loaded
		case op.Lock:
			o.Object, learnt = lock, unlocked
		case op.Unlock:
			o.Object = lock
		case op.Close:
			o.Object = channel
		}
		p.step(s, n)
		know := r.do(o, learnt)
		r.ops[len(r.ops)-1].At = place
		switch o.Kind {
		case op.AtomicLoad:
			loaded |= know
		case op.AtomicStore:
			stored, loaded = know, 0
		case op.Unlock:
			unlocked = know
		}
	}
}

// Where a double close behind a variable is predicted, some order of the program has one.
func TestFlagsAgainstInterleavings(t *testing.T) {
	predicted, missed, none := 0, 0, 0
	enough := func() bool { return testing.Short() || predicted > 20 && none > 20 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		p := drawFlagProgram(t)
		r, end := p.run(func(can []int) int { return rapid.SampledFrom(can).Draw(t, "next") })
		if end.closed > 1 {
			return
		}
		found := r.findings(Closed)
		twice := p.closesTwice()
		for _, f := range found {
			if f.How != Possible || f.Guess == nil || !f.IsDoubtful() {
				t.Fatalf("%+v", f)
			}
		}
		switch {
		case len(found) > 0 && !twice:
			t.Fatalf("%+v\n%s", p, found[0].Text)
		case len(found) > 0:
			predicted++
		case twice:
			missed++
		default:
			none++
		}
	})
	if !enough() {
		t.Errorf("%d predicted, %d missed, in %d programs there is none", predicted, missed, none)
	}
	t.Logf("%d predicted, %d missed, in %d programs there is none", predicted, missed, none)
}

// Two tasks look and set in two steps, in the order of the run one after the other.
func TestFlags(t *testing.T) {
	load, store, closes := op.Op{Kind: op.AtomicLoad}, op.Op{Kind: op.AtomicStore}, op.Op{Kind: op.Close}
	for name, c := range map[string]struct {
		code []op.Op
		want bool
	}{
		"two steps":            {[]op.Op{load, store, closes}, true},
		"close before store":   {[]op.Op{load, closes, store}, true},
		"under a lock":         {[]op.Op{{Kind: op.Lock}, load, store, closes, {Kind: op.Unlock}}, false},
		"a second look":        {[]op.Op{load, {Kind: op.Lock}, load, store, closes, {Kind: op.Unlock}}, false},
		"swap":                 {[]op.Op{load, {Kind: op.AtomicStore, Arg: 1}, closes}, false},
		"something in between": {[]op.Op{load, {Kind: op.Signal}, store, closes}, false},
	} {
		p := &flagProgram{functions: [][]op.Op{c.code}, tasks: []int{0, 0}, behind: []int{-1, -1}}
		r, _ := p.run(func(can []int) int { return can[0] })
		if got := len(r.findings(Closed)) > 0; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
