package builtin_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/rapidtest"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/deadlock"
	"github.com/antichain-go/antichain/tlcheck/builtin/stuck"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/stamp"
)

// world is a program at its end. Task 0 is main, which has returned. Each other task waits to
// receive from a channel, has ended, or goes on in the background. Channels are numbered from 1.
type world struct {
	tasks    int
	channels int
	waits    map[op.Task]op.Object
	ended    map[op.Task]bool
	has      map[op.Task]map[op.Object]bool // the channels to which its stack leads
	global   map[op.Object]bool             // a package variable has the channel
	sent     [][3]int                       // what went on before: from, to, channel
	started  map[op.Task]op.Place           // where, by main
}

func drawWorld(t *rapid.T) *world {
	w := &world{
		tasks: rapid.IntRange(2, 7).Draw(t, "tasks"), channels: rapid.IntRange(1, 4).Draw(t, "channels"),
		waits: map[op.Task]op.Object{}, ended: map[op.Task]bool{}, has: map[op.Task]map[op.Object]bool{},
		global: map[op.Object]bool{}, started: map[op.Task]op.Place{},
	}
	channel := rapid.Custom(func(t *rapid.T) op.Object {
		return op.Object(rapid.IntRange(1, w.channels).Draw(t, "channel"))
	})
	for c := range w.channels {
		w.global[op.Object(c+1)] = rapid.IntRange(0, 3).Draw(t, "global") == 0
	}
	for i := range w.tasks {
		task := op.Task(i + 1)
		w.started[task] = op.Place(rapid.IntRange(1, 5).Draw(t, "started at"))
		w.has[task] = map[op.Object]bool{}
		for _, c := range rapid.SliceOfN(channel, 0, 2).Draw(t, "has") {
			w.has[task][c] = true
		}
		switch rapid.IntRange(0, 5).Draw(t, "state") {
		case 0:
			w.ended[task], w.has[task] = true, nil
		case 1, 2: // goes on
		default:
			c := channel.Draw(t, "waits")
			w.waits[task], w.has[task][c] = c, true
		}
	}
	for range rapid.IntRange(0, 4).Draw(t, "sent") {
		from, to := rapid.IntRange(0, w.tasks).Draw(t, "from"), rapid.IntRange(1, w.tasks).Draw(t, "to")
		if from != to {
			w.sent = append(w.sent, [3]int{from, to, int(channel.Draw(t, "on"))})
		}
	}
	return w
}

// awake returns all tasks that can come to run, if a task that runs may send on each channel that
// it has, and on those of package variables if it can name these.
func (w *world) awake(globals bool) map[op.Task]bool {
	awake := map[op.Task]bool{}
	for i := range w.tasks {
		if t := op.Task(i + 1); w.waits[t] == 0 && !w.ended[t] {
			awake[t] = true
		}
	}
	for again := true; again; {
		again = false
		for t, c := range w.waits {
			comes := globals && w.global[c]
			for by := range awake {
				comes = comes || w.has[by][c]
			}
			if comes && !awake[t] {
				awake[t], again = true, true
			}
		}
	}
	return awake
}

// mayUse returns all tasks that can come to run, if a task that runs may send on each channel on
// which it has sent, or one started where it was.
func (w *world) mayUse(cutOff map[op.Task]bool) map[op.Task]bool {
	may := map[op.Task]bool{}
	for t := range w.awake(false) {
		if w.waits[t] == 0 {
			may[t] = true
		}
	}
	for again := true; again; {
		again = false
		for t, c := range w.waits {
			for _, s := range w.sent {
				from := op.Task(s[0])
				for by := range may {
					alike := from != 0 && w.started[by] == w.started[from]
					if op.Object(s[2]) == c && (by == from || alike) && !may[t] && !cutOff[t] {
						may[t], again = true, true
					}
				}
			}
		}
	}
	return may
}

// run sends the operations of the run to a watcher.
func (w *world) run(to op.Watcher) error {
	s := &stamp.Stamper{To: to}
	do := func(o op.Op) { s.Op(&o) }
	do(op.Op{Kind: op.Main, At: 1})
	for c := range w.channels {
		do(op.Op{Kind: op.MakeChan, Object: op.Object(c + 1), At: 2})
	}
	for t := range w.tasks {
		do(op.Op{Kind: op.Go, Other: op.Task(t + 1), At: 3})
	}
	for i, x := range w.sent {
		do(op.Op{Kind: op.Handoff, Task: op.Task(x[0]), Other: op.Task(x[1]), Object: op.Object(x[2]),
			At: op.Place(10 + i), OtherAt: op.Place(20 + i)})
	}
	for i := range w.tasks {
		t := op.Task(i + 1)
		if w.ended[t] {
			do(op.Op{Kind: op.End, Task: t})
		} else if c := w.waits[t]; c != 0 {
			do(op.Op{Kind: op.Block, Task: t, Want: op.Recv, Object: c, At: op.Place(30 + i)})
		}
	}
	with, without := w.awake(true), w.awake(false)
	if len(without) > 0 && len(w.waits) > 0 {
		for t := range w.waits {
			switch {
			case !with[t]:
				do(op.Op{Kind: op.CutOff, Task: op.NoTask, Other: t, Arg: int64(op.FromNothing)})
			case !without[t]:
				do(op.Op{Kind: op.CutOff, Task: op.NoTask, Other: t, Arg: int64(op.FromGlobals)})
			}
		}
		do(op.Op{Kind: op.Checked, Task: op.NoTask})
	}
	do(op.Op{Kind: op.Left, Arg: 1})
	return s.Err()
}

// worldNames names each place, so no two waits are the same finding.
type worldNames struct{ *world }

func (n worldNames) Task(t op.Task) op.Origin {
	return op.Origin{Name: fmt.Sprint("task ", t), By: 0, At: n.started[t]}
}
func (worldNames) Object(o op.Object) string    { return fmt.Sprint("chan ", o) }
func (worldNames) Place(p op.Place) op.Location { return op.Location{At: fmt.Sprintf("main.go:%d", p)} }

// A wait is certain if and only if no task that goes on can reach its channel: what a task reaches
// it may use. It is possible if only package variables lead to the channel, unless a task that can
// still go on has used it. All others are listed.
func TestLevels(t *testing.T) {
	seen := map[string]bool{}
	rapidtest.CheckUntil(t, func() bool { return len(seen) == 4 }, func(t *rapid.T) {
		w := drawWorld(t)
		checker := builtin.NewChecker(deadlock.Rule, stuck.Rule)
		if err := w.run(checker); err != nil {
			t.Fatal(err)
		}
		got, inCycle := map[op.Task]string{}, map[op.Task]bool{}
		for _, f := range checker.Findings(worldNames{w}) {
			for _, p := range f.Parties {
				if f.IsOfEnd() {
					got[p.Task] = f.How.String()
					inCycle[p.Task] = f.Property == builtin.Deadlock
				}
			}
		}
		open := 0
		if o := checker.Open(); o != nil {
			open = len(o.Waits)
		}
		with, without := w.awake(true), w.awake(false)
		cutOff := maps.Clone(without)
		clear(cutOff)
		for task := range w.waits {
			cutOff[task] = !with[task]
		}
		may, wantOpen := w.mayUse(cutOff), 0
		knows := true // what can come to run only by way of package variables does not
		for task := range may {
			knows = knows && without[task]
		}
		for _, task := range slices.Sorted(maps.Keys(w.waits)) {
			level := "open"
			switch {
			case len(without) == 0:
				level = "alone"
			case cutOff[task]:
				level = "cut off"
			case !without[task] && !may[task] && knows:
				level = "possible"
			}
			seen[level] = true
			want := map[string]string{"alone": "observed", "cut off": "observed", "possible": "possible"}[level]
			switch {
			case want == got[task]:
			case level == "open" && got[task] == "possible" && inCycle[task] && !may[task]:
				open++
			default:
				t.Errorf("task %d is %s, but reported as %q", task, level, got[task])
			}
			if level == "open" {
				wantOpen++
			}
		}
		if open != wantOpen {
			t.Errorf("%d waits are open, not %d", open, wantOpen)
		}
	})
}
