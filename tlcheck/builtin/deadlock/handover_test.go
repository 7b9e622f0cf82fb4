package deadlock

import (
	"slices"
	"testing"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tlcheck/internal/reorder"
	"github.com/antichain-go/antichain/tracer/op"
	"pgregory.net/rapid"
)

// handover inserts a section that another task ends: mostly one that knows that the section
// has begun.
func (p *program) handover(t *rapid.T) {
	insert := func(task, from int, i instr) int {
		at := rapid.IntRange(from, len(p.tasks[task])).Draw(t, "at")
		p.tasks[task] = slices.Insert(p.tasks[task], at, i)
		return at + 1
	}
	a := rapid.IntRange(0, len(p.tasks)-1).Draw(t, "a")
	b := (a + rapid.IntRange(1, len(p.tasks)-1).Draw(t, "b")) % len(p.tasks)
	lock, kinds := rapid.IntRange(0, programLocks-1).Draw(t, "lock"), [2]op.Kind{op.Lock, op.Unlock}
	if rapid.IntRange(0, 3).Draw(t, "reads") == 0 {
		kinds = [2]op.Kind{op.RLock, op.RUnlock}
	}
	locked, told := insert(a, 0, instr{kinds[0], lock}), 0
	if c := rapid.SampledFrom([]int{unbuffered, buffered, buffered, -1}).Draw(t, "channel"); c >= 0 {
		insert(a, locked, instr{op.Send, c})
		told = insert(b, 0, instr{op.Recv, c})
	}
	insert(b, told, instr{kinds[1], lock})
}

// fullWatcher passes to a history and a detector what they want to know. Nothing is read but atomics,
// so Data is Free.
type fullWatcher struct {
	*reorder.History
	*Detector
}

func (w fullWatcher) Op(o *op.Op) {
	o.Data, o.OtherData, o.BeforeData, o.OtherBeforeData = o.Free, o.Free, o.Before, o.OtherBefore
	if slices.Contains(w.History.Kinds(), o.Kind) {
		w.History.Op(o)
	}
	if slices.Contains(w.Detector.Kinds(), o.Kind) {
		w.Detector.Op(o)
	}
}

// Where tasks end sections of others, a deadlock that is exact is one of the program.
func TestHandovers(t *testing.T) {
	exact, assumed, others, unreal := 0, 0, 0, 0
	compare := func(t *rapid.T) {
		for range 20 {
			p := randomProgram(t, []op.Kind{op.Lock, op.Lock, op.RLock, op.Unlock, op.Unlock, op.Recv}, rapid.Bool().Draw(t, "orphans"))
			for range rapid.IntRange(0, 2).Draw(t, "handovers") {
				p.handover(t)
			}
			run := p.run(t)
			if p.end(run).failed {
				continue
			}
			dead, ok := p.dead(20000)
			if !ok {
				continue
			}
			w := fullWatcher{reorder.New(), New()}
			w.Reorders(w.History)
			w.Op(&op.Op{Kind: op.Main})
			p.observe(w, run)
			for _, c := range w.Cycles() {
				real := p.reaches(dead, &c)
				switch {
				case c.Observed || c.Exact:
					if !c.Observed {
						exact++
					}
					if !real {
						t.Fatalf("not a deadlock: %+v\n%s%v", c.Parties, p, run)
					}
				case c.Assumes:
					assumed++
				default:
					others++
				}
				if !real {
					unreal++
				}
			}
		}
	}
	enough := func() bool {
		return testing.Short() || exact > 0 && assumed > 0 && others > 0 && unreal > 0
	}
	rapidtest.CheckUntil(t, enough, compare)
	t.Logf("%d are exact, %d assume that nobody ends sections of others, %d are neither; %d are no deadlocks", exact, assumed, others, unreal)
	if !enough() {
		t.Error("too few of a kind")
	}
}

// Whether a task that has ended with a lock keeps it for ever is known if all others have ended,
// too, and none has unlocked that of another one.
func TestEndedWithLock(t *testing.T) {
	for _, test := range []struct {
		name, tasks string
		run         []int // which task does something
		exact       bool
	}{
		{"nobody is left", "g1 g2\nl0 u0\nl0", []int{0, 0, 1, 1, 2}, true},
		{"handed over before", "g1 g2 s0 u0\nd0 l0\nl0", []int{0, 0, 2, 0, 0, 1}, false},
		{"who will unlock is late", "g1 g2 g3\nd0 u0\nl0 u0\nl0 s0", []int{0, 0, 0, 2, 2, 3, 3}, false},
		{"who will unlock for a reader is late", "g1 g2 g3\nd0 v0\nr0 s0\nl0 u0", []int{0, 0, 0, 3, 3, 2, 2}, false},
	} {
		p := parse(test.tasks)
		var run []move
		s := p.start()
		for _, task := range test.run {
			moves := p.moves(s)
			m := moves[slices.IndexFunc(moves, func(m move) bool { return m.task == task && !m.announce })]
			run = append(run, m)
			p.do(s, m)
		}
		w := fullWatcher{reorder.New(), New()}
		w.Reorders(w.History)
		p.observe(w, run)
		found := 0
		for _, c := range w.Cycles() {
			if found++; c.Exact != test.exact || c.Observed || c.Assumes {
				t.Errorf("%s: %+v", test.name, c)
			}
		}
		if found != 1 {
			t.Errorf("%s: %d deadlocks", test.name, found)
		}
	}
}
