package san_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// fault is what the comparisons report to.
type fault interface {
	Helper()
	Fatalf(format string, args ...any)
}

// pair is a net beside its reference.
type pair struct {
	*san.Net
	ref *reference
}

func newPair(t fault, tr santest.Trace) pair {
	t.Helper()
	n, err := tr.Build()
	if err != nil {
		t.Fatalf("%v\n%s", err, tr)
	}
	return pair{n, newReference(tr)}
}

func (p pair) name(a san.Action) event.Ref {
	return event.Ref{Task: p.Name(a.Task), K: int(a.K)}
}

func (p pair) actions() []san.Action {
	var as []san.Action
	for t := range san.Task(p.Tasks()) {
		for k := range p.Len(t) {
			as = append(as, san.Action{Task: t, K: int32(k + 1)})
		}
	}
	return as
}

// compareOrder checks all that is said about actions.
func (p pair) compareOrder(t fault) {
	as := p.actions()
	down, outside := make([]int32, p.Tasks()), make([]int32, p.Tasks())
	for _, a := range as {
		after := p.ref.after(p.name(a))
		p.Down(a, down)
		p.NotAbove(a, outside)
		for _, b := range as {
			same := p.ref.action[p.name(a)] == p.ref.action[p.name(b)]
			behind := after[p.ref.action[p.name(b)]]
			if p.Precedes(a, b) != behind || p.Same(a, b) != same {
				t.Fatalf("%v precedes %v: %v, want %v; same: %v, want %v", p.name(a), p.name(b), p.Precedes(a, b),
					behind, p.Same(a, b), same)
			}
			before := p.ref.precedes(p.name(b), p.name(a))
			if p.Concurrent(a, b) != (!same && !behind && !before) {
				t.Fatalf("%v and %v concurrent: %v", p.name(a), p.name(b), p.Concurrent(a, b))
			}
			if in := b.K <= down[b.Task]; in != (same || before) {
				t.Fatalf("%v in ↓%v: %v", p.name(b), p.name(a), in)
			}
			if out := b.K <= outside[b.Task]; out != (!same && !behind) {
				t.Fatalf("%v outside of ↑%v: %v", p.name(b), p.name(a), out)
			}
			if joint := p.Joint(a); (cmp.Equal(p.Canonical(a), p.Canonical(b))) != same || len(joint) == 1 ||
				len(joint) > 0 && p.Canonical(a) != joint[0] {
				t.Fatalf("canonical names of %v and %v, joint %v", p.name(a), p.name(b), joint)
			}
		}
	}
	p.compareRecordedOrder(t)
}

func (p pair) compareRecordedOrder(t fault) {
	seen := make(map[event.Ref]bool)
	for a := range p.Order() {
		if p.Canonical(a) != a || seen[p.ref.action[p.name(a)]] {
			t.Fatalf("%v twice or not canonical in the recorded order", p.name(a))
		}
		for b := range p.ref.after(p.name(a)) {
			if seen[b] {
				t.Fatalf("%v stands before %v in the recorded order", b, p.name(a))
			}
		}
		seen[p.ref.action[p.name(a)]] = true
	}
	if len(seen) != p.Actions() {
		t.Fatalf("%d actions in the recorded order, want %d", len(seen), p.Actions())
	}
}

func (p pair) compareTasks(t fault) {
	tasks := len(p.ref.header.Tasks) + len(p.ref.spawner)
	if p.Tasks() != tasks {
		t.Fatalf("%d tasks, want %d", p.Tasks(), tasks)
	}
	created := -1
	position := make(map[san.Action]int)
	for a := range p.Order() {
		position[a] = len(position)
	}
	for u := range san.Task(p.Tasks()) {
		name := p.Name(u)
		if v, ok := p.Lookup(name); !ok || v != u {
			t.Fatalf("lookup of %q gives %d, %v", name, v, ok)
		}
		es := p.ref.events[name]
		if p.Len(u) != len(es) {
			t.Fatalf("task %s has %d events, want %d", name, p.Len(u), len(es))
		}
		if ended := len(es) > 0 && es[len(es)-1].Op == "end"; p.Ended(u) != ended {
			t.Fatalf("task %s ended: %v", name, p.Ended(u))
		}
		a, ok := p.SpawnedBy(u)
		if p.Initial(u) == ok || p.Initial(u) != (int(u) < len(p.ref.header.Tasks)) {
			t.Fatalf("task %s: initial %v, spawned %v", name, p.Initial(u), ok)
		}
		if !ok {
			continue
		}
		if p.name(a) != p.ref.spawner[name] {
			t.Fatalf("task %s is spawned by %v, want %v", name, p.name(a), p.ref.spawner[name])
		}
		if c, ok := p.Spawns(a); !ok || c != u {
			t.Fatalf("%v spawns %v", p.name(a), c)
		}
		if at := position[p.Canonical(a)]; at < created {
			t.Fatalf("task %s is not in order of creation", name)
		} else {
			created = at
		}
	}
}

// compareStates checks what is said about every local state.
func (p pair) compareStates(t fault) {
	for u := range san.Task(p.Tasks()) {
		name := p.Name(u)
		w := p.Walk(u)
		for k := 0; ; k++ {
			s := w.State()
			if s.K() != k || s.Task() != u {
				t.Fatalf("state %d of %d, want %d of %d", s.K(), s.Task(), k, u)
			}
			p.compareState(t, name, k, s)
			if !w.Next() {
				if k != p.Len(u) {
					t.Fatalf("walk of %s ends in state %d", name, k)
				}
				break
			}
		}
	}
}

func (p pair) compareState(t fault, name string, k int, s *san.State) {
	frames, scopes := p.ref.state(name, k)
	for i := range frames {
		frames[i].Vars = nil
	}
	var got []san.Frame
	for i, f := range s.Stack() {
		for _, b := range f.Vars {
			if want, ok := scopes[len(frames)-1-i][b.Name]; !ok || want.String() != b.Value.String() {
				t.Fatalf("state %s:%d, frame %d: %s is %s", name, k, i, b.Name, b.Value)
			}
		}
		if len(f.Vars) != len(scopes[len(frames)-1-i]) {
			t.Fatalf("state %s:%d, frame %d: %v", name, k, i, f.Vars)
		}
		f.Vars = nil
		got = append(got, f)
	}
	if d := cmp.Diff(frames, got); d != "" && len(frames)+len(got) > 0 {
		t.Fatalf("stack in state %s:%d: %s", name, k, d)
	}
	if len(s.Own()) != len(scopes[len(frames)]) || s.Depth() != len(frames) {
		t.Fatalf("own scope in state %s:%d: %v", name, k, s.Own())
	}
	for _, f := range []string{"f", "g", "h"} {
		var on bool
		var in [3]bool
		for _, frame := range frames {
			if frame.Func == f {
				on, in[frame.Phase] = true, true
			}
		}
		if s.OnStack(f) != on || s.InPhase(f, san.Start) != in[san.Start] || s.InPhase(f, san.In) != in[san.In] ||
			s.InPhase(f, san.Term) != in[san.Term] {
			t.Fatalf("phases of %s in state %s:%d: %v", f, name, k, s.Stack())
		}
	}
	for _, path := range [][]string{{"x"}, {"y"}, {"z"}, {"r", "x"}, {"r", "y"}, {"r"}, {"r", "x", "q"}, {"N"},
		{"other"}} {
		p.compareVariable(t, name, k, s, path)
	}
}

func (p pair) compareVariable(t fault, name string, k int, s *san.State, path []string) {
	want := p.ref.resolve(name, k, path)
	v := s.Resolve(path)
	got := resolution{Scope: v.Scope, Key: v.Key}
	for _, value := range v.Values {
		if got.Values == nil {
			got.Values = make(map[string]bool)
		}
		if got.Values[value.String()] {
			t.Fatalf("%v in state %s:%d twice has the value %s", path, name, k, value)
		}
		got.Values[value.String()] = true
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%v in state %s:%d: %s", path, name, k, d)
	}
	if v.Visible() && len(v.Rest)+len(splitKey(v.Key)) != len(path) {
		t.Fatalf("%v in state %s:%d leads to %s with rest %v", path, name, k, v.Key, v.Rest)
	}
}

func splitKey(key string) []string {
	n := 1
	for _, c := range key {
		if c == '.' {
			n++
		}
	}
	return make([]string, n)
}

// TestNetAgainstReference compares nets of random traces, in order and shuffled, with the
// definitions.
func TestNetAgainstReference(t *testing.T) {
	if testing.Short() { // the race detector makes it slow, and there is one goroutine
		t.Skip("it takes long")
	}
	for seed := range int64(1500) {
		rnd := rand.New(rand.NewSource(seed))
		c := santest.Config{OneSided: seed%2 == 0}
		if seed%3 == 0 {
			c.Joints, c.Causes = 60, 60
		}
		tr := santest.Generate(rnd, c)
		if seed%4 > 0 {
			tr = tr.Shuffle(rnd)
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p := newPair(t, tr)
			p.compareTasks(t)
			p.compareOrder(t)
			p.compareStates(t)
			if t.Failed() {
				t.Logf("%s", tr)
			}
		})
	}
}

// TestNetShrinks is the same under rapid, whose counterexamples are small.
func TestNetShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := santest.Rapid(t)
		p := newPair(t, santest.Generate(src, santest.Config{OneSided: true}).Shuffle(src))
		p.compareTasks(t)
		p.compareOrder(t)
		p.compareStates(t)
	})
}

// Functions are known where one is entered, or could have been.
func TestHasFunctions(t *testing.T) {
	for trace, want := range map[string]bool{
		`{"antichain":1,"tasks":["a"]}`: false,
		`{"antichain":1,"tasks":["a"]}` + "\n" +
			`{"t":"a","set":{"x":1}}`: false,
		`{"antichain":1,"tasks":["a"]}` + "\n" +
			`{"t":"a","enter":"f"}`: true,
		`{"antichain":1,"tasks":["a"],"instrumented":{"package":"p","functions":[],"variables":[],"steps":false}}`: true,
	} {
		if got := santest.Read(t, trace).HasFunctions(); got != want {
			t.Errorf("%s: %v", trace, got)
		}
	}
}
