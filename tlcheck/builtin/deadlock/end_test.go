package deadlock

import (
	"fmt"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tracer/op"
	"pgregory.net/rapid"
)

// pairs is a search for cycles that looks at every pair of who waits and who is waited for.
type pairs struct {
	*Detector
	locksOnly bool
	visited   map[*actor]bool // true while on the path
	path      []edge
}

func (p *pairs) cycles(from []*actor) (found []string) {
	for _, a := range from {
		if _, done := p.visited[a]; done || !p.visit(a) {
			continue
		}
		last := p.path[len(p.path)-1].to
		begin := slices.IndexFunc(p.path, func(e edge) bool { return e.from == last })
		found = append(found, describe(p.path[begin:]))
		for _, e := range p.path {
			p.visited[e.from] = false
		}
		p.path = nil
	}
	return found
}

func (p *pairs) visit(a *actor) bool {
	p.visited[a] = true
	for _, e := range p.edges(a) {
		p.path = append(p.path, e)
		onPath, done := p.visited[e.to]
		if onPath || !done && p.visit(e.to) {
			return true
		}
		p.path = p.path[:len(p.path)-1]
	}
	p.visited[a] = false
	return false
}

func (p *pairs) edges(a *actor) (edges []edge) {
	l := a.waits.lock
	for _, owner := range l.owners {
		i := slices.IndexFunc(owner.held, func(h acquisition) bool { return h.excludes(&a.waits.acquisition) })
		if i >= 0 && owner != a && owner.waits != nil {
			edges = append(edges, edge{a, owner, owner.held[i]})
		}
	}
	if len(edges) > 0 || a.waits.Kind != op.RLock || p.locksOnly && !slices.Contains(l.owners, a) {
		return edges
	}
	for _, b := range p.blockedTasks() {
		if b.waits.lock == l && b.waits.Kind == op.Lock {
			edges = append(edges, edge{from: a, to: b})
		}
	}
	return edges
}

// describe says who waits for whom, and for which section.
func describe(cycle []edge) (text string) {
	for _, e := range cycle {
		text += fmt.Sprintf("%d (%d) ", e.from.task, e.held.Seq)
	}
	return text
}

// The search that removes edges finds the cycles that one finds which looks at all of them.
func TestCyclesAmongWaiting(t *testing.T) {
	found, none := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := New()
		tasks := rapid.IntRange(2, 9).Draw(t, "tasks")
		k := make([]int32, tasks)
		do := func(task int, kind, want op.Kind, lock int) {
			k[task]++
			d.Op(&op.Op{Kind: kind, Want: want, Task: op.Task(task), K: k[task], At: op.Place(k[task]), Object: lockObject(lock), Other: op.NoTask})
		}
		task, lock := rapid.IntRange(0, tasks-1), rapid.IntRange(0, 3)
		for range rapid.IntRange(0, 3*tasks).Draw(t, "sections") {
			l, kind := lock.Draw(t, "lock"), rapid.SampledFrom([]op.Kind{op.RLock, op.RLock, op.Lock}).Draw(t, "kind")
			if !d.lock(lockObject(l)).isExcluded(kind) {
				do(task.Draw(t, "task"), kind, op.None, l)
			}
		}
		for task := range tasks {
			if want := rapid.SampledFrom([]op.Kind{op.None, op.RLock, op.Lock, op.Lock}).Draw(t, "want"); want != op.None {
				do(task, op.Block, want, lock.Draw(t, "wanted"))
			}
		}
		from := rapid.Permutation(d.blockedTasks()).Draw(t, "from")
		for _, locksOnly := range []bool{false, true} {
			want := (&pairs{Detector: d, locksOnly: locksOnly, visited: map[*actor]bool{}}).cycles(from)
			var got []string
			for _, c := range newWaitsFor(d, locksOnly).cycles(from) {
				path := make([]edge, len(c.moments))
				for i, m := range c.moments {
					path[i] = edge{from: d.actor(m.Task), held: c.blocker[i]}
				}
				got = append(got, describe(path))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("locks only: %v, got %q, want %q", locksOnly, got, want)
			}
			found, none = found+min(1, len(want)), none+1-min(1, len(want))
		}
	})
	if !testing.Short() && (found == 0 || none == 0) {
		t.Errorf("%d of %d have a cycle", found, found+none)
	}
}
