package hang

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

const (
	main op.Task = iota
	worker
	ticker
)

// at returns an operation of a task at a place.
func at(task op.Task, kind op.Kind, place op.Place) *op.Op {
	return &op.Op{Task: task, Kind: kind, At: place, Other: op.NoTask}
}

// The program is asked when goroutines have waited for a while, soon about new waits, and ever more
// seldom about the same ones. It is given time in between.
func TestIsDue(t *testing.T) {
	var g goroutines
	var s schedule
	g.Op(at(worker, op.Block, 1))
	var asked []time.Duration
	const cost = 20 * time.Millisecond
	for g.now = 0; g.now < 12*time.Second; g.now += often {
		if g.now == 9*time.Second {
			g.Op(at(main, op.Block, 2))
		}
		if s.isDue(g.now, &g) {
			asked = append(asked, g.now)
			s.asked(g.now)
			s.answered(g.now, cost)
		}
	}
	// 1 s after the wait began, then in pauses of 2, 4 and 8 s; the new wait comes in between.
	if len(asked) < 3 || asked[0] != patience {
		t.Fatalf("asked at %v", asked)
	}
	for i, a := range asked[1:] {
		if pause := a - asked[i]; pause < soon {
			t.Errorf("asked again after %v: %v", pause, asked)
		}
	}
	if newest := asked[len(asked)-1]; newest < 10*time.Second {
		t.Errorf("not asked about the new wait: %v", asked)
	}

	s = schedule{}
	s.asked(0)
	s.answered(time.Second, time.Second)
	for now := time.Second; now < 101*time.Second; now += often {
		if g.now = now; s.isDue(now, &g) {
			t.Fatalf("asked again after %v, though that took a second", now)
		}
	}
	if g.now = 102 * time.Second; !s.isDue(g.now, &g) {
		t.Error("not asked any more")
	}
}

// Time in which this process stood still is none in which the program could run.
func TestTick(t *testing.T) {
	var w Watch
	now := time.Unix(0, 0)
	for range 10 {
		now = now.Add(often)
		w.tick(now)
	}
	w.tick(now.Add(time.Hour))
	if w.now > 2*time.Second {
		t.Errorf("after a second and a stop: %v", w.now)
	}
	if w.tick(now.Add(time.Hour + often/2)) {
		t.Error("looks all the time")
	}
}

// A program hangs if main waits for ever, or if nothing has happened since a goroutine began to do
// so, but for goroutines that wake only to wait again.
func TestHangsFor(t *testing.T) {
	ticks := func(g *goroutines) {
		g.Op(at(ticker, op.Recv, 7))
		g.Op(at(ticker, op.Block, 7))
	}
	for name, c := range map[string]struct {
		stuck op.Task
		then  func(g *goroutines)
		main  bool
		hangs bool
	}{
		"main waits":               {main, ticks, false, true},
		"main waits, a task works": {main, func(g *goroutines) { g.Op(at(ticker, op.Unlock, 8)) }, false, true},
		"main waits, a task starts": {main, func(g *goroutines) {
			g.Op(&op.Op{Kind: op.Go, Task: ticker, Other: ticker + 1})
		}, false, false},
		"a worker waits": {worker, ticks, false, true},
		"a worker waits, a task works": {worker, func(g *goroutines) {
			g.Op(at(ticker, op.Unlock, 8))
		}, false, false},
		"a test waits, and main for it, another test works": {worker, func(g *goroutines) {
			g.Op(at(ticker, op.Unlock, 8))
		}, true, true},
		"a test waits, and main for it, another test ends": {worker, func(g *goroutines) {
			g.Op(at(ticker, op.End, 8))
		}, true, false},
		"it waits no more": {worker, func(g *goroutines) { g.Op(at(worker, op.Recv, 3)) }, false, false},
	} {
		var w Watch
		for range 2 {
			w.Op(at(ticker, op.Block, 7))
			w.Op(at(ticker, op.Recv, 7))
		}
		w.Op(at(ticker, op.Block, 7))
		w.now = time.Second
		w.Op(at(main, op.Block, 2))
		w.Op(at(c.stuck, op.Block, 3))
		w.main = c.main
		w.known = []builtin.Finding{{Parties: []builtin.Party{{Task: c.stuck, At: 3}}}}
		w.now = 40 * time.Second
		c.then(&w.goroutines)
		w.now = 41 * time.Second
		if got := w.hangsFor(); (got >= 30*time.Second) != c.hangs {
			t.Errorf("%s: hangs for %v", name, got)
		}
	}
}

// A goroutine that a timer wakes only to wait again has waited all the time, and no other one has
// when it wakes.
func TestPolls(t *testing.T) {
	const timer = 5
	polls := []op.Op{
		*at(ticker, op.MakeChan, 6), {Kind: op.Arm, Task: ticker, Object: timer, At: 6, Other: op.NoTask},
		*at(ticker, op.AtomicLoad, 6), {Kind: op.Block, Want: op.Select, Task: ticker, At: 7, Other: op.NoTask},
		{Kind: op.Recv, Task: ticker, Object: timer, InCase: true, At: 7, Other: op.NoTask},
	}
	for name, also := range map[string][]op.Op{
		"it only waits": nil,
		"it works":      {*at(ticker, op.Unlock, 8)},
	} {
		w := Watch{known: []builtin.Finding{{Polls: true, Parties: []builtin.Party{{Task: ticker, At: 7}}}}}
		for w.now = 0; w.now < 40*time.Second; w.now += time.Second {
			for _, o := range append(polls, also...) {
				w.Op(&o)
			}
		}
		long := also == nil
		if got := w.idles(ticker) >= patienceAssumed; got != long || w.isSettled(&w.known[0]) != long {
			t.Errorf("%s: it has waited for long: %t, want %t", name, got, long)
		}
		if got := w.hasWaited(patience, 0); got {
			t.Errorf("%s: its wait is new", name)
		}
		if got := w.hasWaited(patience, -1); got != long {
			t.Errorf("%s: the program is to be asked: %t, want %t", name, got, long)
		}
		if got := w.hangsFor() >= 30*time.Second; got != long {
			t.Errorf("%s: it hangs: %t, want %t", name, got, long)
		}
	}
}

// names are those of no program.
type names struct{ op.Names }

func (names) Task(op.Task) op.Origin     { return op.Origin{} }
func (names) Place(op.Place) op.Location { return op.Location{} }
func (names) Object(op.Object) string    { return "" }

// A finding is withdrawn once a goroutine of it goes on, though it may wait there again by then.
func TestWithdraw(t *testing.T) {
	const text = "worker waits for ever"
	for name, c := range map[string]struct {
		then      []*op.Op
		withdrawn bool
	}{
		"it waits":          {nil, false},
		"another goes on":   {[]*op.Op{at(main, op.Unlock, 1)}, false},
		"it goes on":        {[]*op.Op{at(worker, op.Lock, 3)}, true},
		"it waits again":    {[]*op.Op{at(worker, op.Lock, 3), at(worker, op.Block, 3)}, true},
		"it goes on, ends":  {[]*op.Op{at(worker, op.Lock, 3), at(worker, op.End, 3)}, true},
		"it got what it is": {[]*op.Op{{Kind: op.Handoff, Task: main, Other: worker}}, true},
	} {
		var b bytes.Buffer
		w := Watch{out: &b}
		w.now = time.Second
		w.Op(at(worker, op.Block, 3))
		w.now = 5 * time.Second
		f := builtin.Finding{Text: text, Parties: []builtin.Party{{Task: worker, At: 3}}}
		if !w.announce(&f, names{}) || w.announce(&f, names{}) {
			t.Errorf("%s: not reported once", name)
		}
		w.now = 6 * time.Second
		for _, o := range c.then {
			w.Op(o)
		}
		w.now = 7 * time.Second
		for range 2 {
			w.Conclude(names{})
		}
		if got := strings.Count(b.String(), text); got > 1 || (got == 1) != c.withdrawn {
			t.Errorf("%s: says %q", name, b.String())
		}
		if again := w.announce(&f, names{}); again != c.withdrawn {
			t.Errorf("%s: reported again: %t", name, again)
		}
	}
}

// Another watcher of a run gets each operation first. SIGQUIT is for the program unless it is to
// ask.
func TestConfigure(t *testing.T) {
	var none *Watch
	cfg := launch.Config{Watch: op.Discard}
	none.Configure(&cfg)
	if cfg.Watch != op.Discard || cfg.Between != nil || cfg.Quit != nil {
		t.Errorf("without a watch: %+v", cfg)
	}
	for _, quits := range []bool{false, true} {
		w := &Watch{Quits: quits}
		cfg := launch.Config{}
		cfg.Watch = watcherFunc(func(*op.Op) {
			if w.tasks.Held() > 0 {
				t.Error("the other one comes later")
			}
		})
		w.Configure(&cfg)
		cfg.Watch.Op(at(main, op.Unlock, 1))
		if w.tasks.At(int(main)) == nil || cfg.Between == nil || cfg.Where == nil || (cfg.Quit != nil) != quits {
			t.Errorf("quits %t: %+v", quits, cfg)
		}
	}
}

type watcherFunc func(*op.Op)

func (f watcherFunc) Op(o *op.Op) { f(o) }
