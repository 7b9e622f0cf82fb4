package running

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// guideTest is a guide, with the true atoms and the tasks that have moved.
type guideTest struct {
	*guide
	t     *testing.T
	begin time.Time
	true_ string // atoms
}

func newGuided(t *testing.T, formula string) *guideTest {
	t.Helper()
	f, err := temporal.Parse("formula", formula, temporal.FiniteLTL)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	return &guideTest{newGuide(f, begin.Add(time.Hour)), t, begin, ""}
}

func (g *guideTest) atom(text string) bool { return slices.Contains(strings.Fields(g.true_), text) }

// move reads a state to which a task has moved, in which these atoms are true.
func (g *guideTest) move(task, true_ string) {
	g.true_ = true_
	g.takeState(g.atom, func(t string) bool { return t == task })
}

// expect checks the held tasks some minutes after the begin.
func (g *guideTest) expect(minutes int, want ...string) {
	g.t.Helper()
	if held := g.tasksToHold(g.begin.Add(time.Duration(minutes)*time.Minute), g.atom); !slices.Equal(held, want) {
		g.t.Errorf("%v are held, not %v", held, want)
	}
}

func waiting(reason string) control.Task {
	return control.Task{State: control.Waiting, Reason: reason, Stack: []control.Frame{{Func: "main.main"}}}
}

// Each is held for half of the remaining time.
func TestGuideTime(t *testing.T) {
	g := newGuided(t, "F (a:(p) & b:(q))")
	g.move("a", "a:(p)")
	g.expect(0, "a")
	g.move("b", "a:(p)") // others move
	g.expect(30, "a")
	g.expect(31)
	g.move("a", "a:(p)") // it goes on, and its part still holds
	g.expect(32, "a")
	g.expect(46, "a")
	g.expect(47)
	g.move("a", "")
	g.expect(48)
	g.move("a", "a:(p)")
	g.expect(49, "a")
}

// When no other task can run, a held one is released.
func TestGuideLooks(t *testing.T) {
	lock, message := waiting("sync.Mutex.Lock"), waiting("chan receive")
	sleeping := waiting("sleep")
	running := control.Task{State: control.Stopped, Stack: lock.Stack}
	ours := control.Task{State: control.Stopped} // of the runtime
	for _, tt := range []struct {
		quiet  time.Duration
		others []control.Task
		held   []string
	}{
		{time.Second, []control.Task{lock, lock, ours}, nil},
		{time.Second, nil, nil},
		{time.Second, []control.Task{lock, running}, []string{"a"}},
		{time.Second, []control.Task{sleeping, lock}, []string{"a"}},
		{time.Second, []control.Task{message}, []string{"a"}}, // that may be a clock
		{20 * time.Minute, []control.Task{message}, nil},
		{20 * time.Minute, []control.Task{sleeping}, []string{"a"}},
	} {
		g := newGuided(t, "F (a:(p) & b:(q))")
		g.move("a", "a:(p)")
		g.expect(0, "a")
		g.look(tt.quiet, tt.others)
		g.expect(1, tt.held...)
		g.move("a", "a:(p)")
		g.expect(2, "a")
	}
	g := newGuided(t, "F (a:(p) & b:(q) & c:(p))")
	g.move("a", "a:(p)")
	g.expect(0, "a")
	g.move("b", "a:(p) b:(q)")
	g.expect(1, "a", "b")
	g.look(time.Second, []control.Task{lock})
	g.expect(1, "b")
	g.look(time.Second, []control.Task{lock})
	g.expect(1)
	g.look(time.Second, []control.Task{lock})
	g.expect(1)
}

// Claims about later states guide once the present one has come.
func TestGuideStages(t *testing.T) {
	g := newGuided(t, "F (a:(p) & F (a:(q) & b:(q)))")
	g.move("b", "b:(q)")
	g.expect(0)
	g.move("a", "b:(q) a:(p)")
	g.expect(0, "b")
	g.move("a", "b:(q)")
	g.expect(0, "b")

	// The state in which a stage ends can be the first one of the next.
	g = newGuided(t, "F (a:(p) & F (a:(q) & F (c:(p) & b:(q))))")
	g.move("a", "a:(p) a:(q) b:(q)")
	g.expect(0, "b")
	g = newGuided(t, "F (a:(p) & X F (a:(q) & F (c:(p) & b:(q))))")
	g.move("a", "a:(p) a:(q) b:(q)")
	g.expect(0)
	g.move("d", "a:(p) a:(q) b:(q)")
	g.expect(0, "b")

	g = newGuided(t, "F (a:(p) & b:(p) & (!a:(q) U b:(q)))")
	g.move("a", "a:(p)")
	g.expect(0, "a")
	g.move("b", "a:(p) b:(p)")
	g.expect(0, "a")
	g.move("b", "a:(p)")
	g.expect(0, "a")

	// Two events in any order hold no task.
	g = newGuided(t, "F (a:(p) & F b:(q) & F (a:(q) & b:(p)))")
	g.move("b", "a:(p) b:(p)")
	g.expect(0)
}
