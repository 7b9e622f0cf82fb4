package deadlock

import (
	"reflect"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tracer/op"
	"pgregory.net/rapid"
)

// What random tasks do for themselves; Send is a section of a channel. With Recv there are
// exchanges too.
var (
	lockKinds    = []op.Kind{op.Lock, op.Lock, op.RLock, op.Unlock, op.Unlock}
	onceKinds    = []op.Kind{op.Lock, op.Lock, op.Lock, op.Unlock, op.Unlock, op.Recv, op.Once}
	channelKinds = []op.Kind{op.Send, op.Send, op.Lock, op.Unlock, op.Unlock, op.Recv}
	mixedKinds   = []op.Kind{op.Lock, op.Lock, op.Lock, op.RLock, op.Send, op.Unlock, op.Unlock, op.Unlock, op.Recv, op.AtomicLoad, op.AtomicStore}
)

// What is found is a deadlock of the program, in which all parties are where the finding says; or
// at least of what the run shows of the program, if a task that was blocked would go on with a
// channel that it has not used.
func TestDeadlocksAreReal(t *testing.T) {
	for name, kinds := range map[string][]op.Kind{"locks": lockKinds, "mixed": mixedKinds, "channels": channelKinds, "once": onceKinds} {
		t.Run(name, func(t *testing.T) {
			excused := 0
			// of programs whose observed run does not show it, except for observed
			predicted, observed, missed, free := 0, 0, 0, 0
			rapid.Check(t, func(t *rapid.T) {
				p := randomProgram(t, kinds, rapid.IntRange(0, 9).Draw(t, "orphans") == 0)
				dead, ok := p.dead(20000)
				if !ok {
					t.Skip("too many states")
				}
				d := New()
				run := p.run(t)
				p.observe(kindFilter{d}, run)
				cycles := d.Cycles()
				for _, c := range cycles {
					if p.reaches(dead, &c) {
						continue
					}
					shown := p.shown(run)
					if dead, ok := shown.dead(20000); !ok || !shown.reaches(dead, &c) || reflect.DeepEqual(shown.tasks, p.tasks) {
						t.Fatalf("not a deadlock: %+v\n%s%v", c.Parties, p, run)
					}
					excused++
				}
				switch {
				case p.isBlocked(d):
					observed++
				case len(cycles) > 0:
					predicted++
				case len(dead) > 0:
					missed++
				default:
					free++
				}
			})
			if excused > 1+(predicted+missed+free+observed)/10000 {
				t.Errorf("%d are no deadlocks, but for what the run does not show", excused)
			}
			t.Logf("predicted in %d programs, missed in %d, none in %d; in %d the observed run ended blocked", predicted, missed, free, observed)
		})
	}
}

// A deadlock is called exact if and only if a way leads there that takes each lock in the order of
// the run.
func TestExact(t *testing.T) {
	exact, reordered := 0, 0
	enough := func() bool { return testing.Short() || exact > 0 && reordered > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		p := randomProgram(t, []op.Kind{op.Lock, op.RLock, op.RLock, op.Unlock, op.Unlock}, false)
		if _, ok := p.dead(20000); !ok {
			t.Skip("too many states")
		}
		d, run := New(), p.run(t)
		p.observe(kindFilter{d}, run)
		states := p.inOrder(run)
		for _, c := range d.Cycles() {
			if !c.Observed && c.Exact != p.stays(states, &c) {
				t.Fatalf("exact: %v, %+v\n%s\n%v", c.Exact, c.Parties, p, run)
			}
			if c.Exact {
				exact++
			} else {
				reordered++
			}
		}
	})
	if !enough() {
		t.Errorf("%d deadlocks are exact, %d are not", exact, reordered)
	}
}

// isBlocked reports whether the observed run has ended blocked.
func (p *program) isBlocked(d *Detector) bool {
	for _, a := range d.actors {
		if a.waits != nil {
			return true
		}
	}
	return false
}

// reaches reports whether the parties are where they are said to be in one of the states.
func (p *program) reaches(states []*globalState, c *Cycle) bool {
	for _, s := range states {
		all := true
		for _, party := range c.Parties {
			pc := s.pc[party.Task]
			all = all && (party.At == placeOf(int(party.Task), pc) || party.Kind == op.End && pc == len(p.tasks[party.Task]))
		}
		if all {
			return true
		}
	}
	return false
}

// kindFilter passes the kinds of operations that a detector wants.
type kindFilter struct{ *Detector }

func (w kindFilter) Op(o *op.Op) {
	if slices.Contains(w.Kinds(), o.Kind) {
		w.Detector.Op(o)
	}
}

// A send on a channel that is used as a lock so far is in a section, which must have been left
// where another task knows of the send and has the section's lock.
func TestSendThatIsNoLock(t *testing.T) {
	p := &program{caps: []int{0, 1, 1, 0}, tasks: [][]instr{
		{{op.Lock, 1}, {op.Lock, 2}, {op.Go, 1}, {op.Lock, 0}, {op.Unlock, 0}, {op.Unlock, 2}, {op.Unlock, 1}},
		{{op.Go, 2}, {op.Lock, 0}, {op.Send, buffered}, {op.Lock, 2}, {op.Unlock, 2}, {op.Unlock, 0}},
		{{op.Lock, 0}, {op.Recv, buffered}, {op.Lock, 1}, {op.Unlock, 1}, {op.Unlock, 0}},
	}}
	dead, _ := p.dead(20000)
	complete := 0
	enough := func() bool { return complete > 0 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		d, run := New(), p.run(t)
		p.observe(kindFilter{d}, run)
		for _, c := range d.Cycles() {
			if !p.reaches(dead, &c) {
				t.Fatalf("not a deadlock: %+v\n%s%v", c.Parties, p, run)
			}
		}
		if !p.isBlocked(d) {
			complete++
		}
	})
}

// A task that only a party of the deadlock would start brings no counter to zero, in whatever order
// the tasks were done in the run.
func TestDoneOfTaskNotStarted(t *testing.T) {
	p := &program{caps: []int{0, 1, 1, 0}, tasks: [][]instr{
		{{op.Add, 0}, {op.Go, 1}, {op.Lock, 0}, {op.Wait, 0}, {op.Unlock, 0}},
		{{op.Lock, 0}, {op.Add, 0}, {op.Go, 2}, {op.Unlock, 0}, {op.Done, 0}},
		{{op.Done, 0}},
	}}
	last := map[int]bool{} // tasks that were the last to be done
	enough := func() bool { return len(last) == 2 }
	rapidtest.CheckUntil(t, enough, func(t *rapid.T) {
		d, run := New(), p.run(t)
		p.observe(kindFilter{d}, run)
		if p.isBlocked(d) {
			t.Skip("it happened")
		}
		if len(d.Cycles()) == 0 {
			t.Fatalf("none found\n%s%v", p, run)
		}
		for i := range run {
			if m := run[len(run)-1-i]; m.task > 0 {
				last[m.task] = true
				break
			}
		}
	})
}
