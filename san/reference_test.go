package san_test

import (
	"strings"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// reference answers the questions about a net straight from the definitions in docs/semantics.md,
// with reachability by search and states computed from scratch.
type reference struct {
	header  *event.Header
	events  map[string][]*event.Event
	spawner map[string]event.Ref
	action  map[event.Ref]event.Ref   // representative of each event's action
	direct  map[event.Ref][]event.Ref // action → actions right after it
}

func newReference(tr santest.Trace) *reference {
	r := &reference{
		header: tr.Header, events: make(map[string][]*event.Event), spawner: make(map[string]event.Ref),
		action: make(map[event.Ref]event.Ref), direct: make(map[event.Ref][]event.Ref),
	}
	for _, e := range tr.Events {
		r.events[e.Task] = append(r.events[e.Task], e)
		x := event.Ref{Task: e.Task, K: len(r.events[e.Task])}
		r.action[x] = x
		if e.Spawn != "" {
			r.spawner[e.Spawn] = x
		}
	}
	r.each(func(x event.Ref, e *event.Event) {
		for _, y := range e.With {
			from, to := r.action[y], r.action[x]
			for z, a := range r.action {
				if a == from {
					r.action[z] = to
				}
			}
		}
	})
	r.each(func(x event.Ref, e *event.Event) {
		if x.K > 1 {
			r.edge(event.Ref{Task: x.Task, K: x.K - 1}, x)
		} else if s, ok := r.spawner[x.Task]; ok {
			r.edge(s, x)
		}
		for _, y := range e.After {
			r.edge(y, x)
		}
	})
	return r
}

func (r *reference) each(f func(event.Ref, *event.Event)) {
	for t, es := range r.events {
		for i, e := range es {
			f(event.Ref{Task: t, K: i + 1}, e)
		}
	}
}

func (r *reference) edge(a, b event.Ref) {
	r.direct[r.action[a]] = append(r.direct[r.action[a]], r.action[b])
}

// after returns the actions reachable from a, by depth-first search.
func (r *reference) after(a event.Ref) map[event.Ref]bool {
	seen := make(map[event.Ref]bool)
	var visit func(event.Ref)
	visit = func(a event.Ref) {
		for _, b := range r.direct[a] {
			if !seen[b] {
				seen[b] = true
				visit(b)
			}
		}
	}
	visit(r.action[a])
	return seen
}

func (r *reference) precedes(a, b event.Ref) bool { return r.after(a)[r.action[b]] }

// state replays task t up to event k. The last element of vars is the task's own scope, before it
// stands one for each frame, the innermost first.
func (r *reference) state(t string, k int) (frames []san.Frame, scopes []map[string]event.Value) {
	own := make(map[string]event.Value)
	var vars []map[string]event.Value
	for _, e := range r.events[t][:k] {
		if n := len(frames); n > 0 && frames[n-1].Phase == san.Term {
			frames, vars = frames[:n-1], vars[:n-1]
		}
		if n := len(frames); n > 0 && frames[n-1].Phase == san.Start {
			frames[n-1].Phase = san.In
		}
		if e.Enter != "" {
			frames = append(frames, san.Frame{Func: e.Enter})
			vars = append(vars, make(map[string]event.Value))
		}
		if e.Exit != "" {
			frames[len(frames)-1].Phase = san.Term
		}
		scope := own
		if len(vars) > 0 {
			scope = vars[len(vars)-1]
		}
		for _, b := range e.Set {
			scope[b.Name] = b.Value
		}
		for _, b := range e.Global {
			own[b.Name] = b.Value
		}
	}
	for i := len(vars) - 1; i >= 0; i-- {
		scopes = append(scopes, vars[i])
	}
	return frames, append(scopes, own)
}

// resolution is what a path leads to.
type resolution struct {
	Scope  san.Scope
	Key    string
	Values map[string]bool // as JSON
}

func (r *reference) resolve(t string, k int, path []string) resolution {
	_, scopes := r.state(t, k)
	for i, vars := range scopes {
		scope := san.InFrame
		if i == len(scopes)-1 {
			scope = san.InOwn
		}
		for n := len(path); n > 0; n-- {
			key := strings.Join(path[:n], ".")
			if v, ok := vars[key]; ok {
				return resolution{scope, key, map[string]bool{v.String(): true}}
			}
		}
	}
	for n := len(path); n > 0; n-- {
		key := strings.Join(path[:n], ".")
		for _, b := range r.header.Shared {
			if b.Name == key {
				return resolution{san.InShared, key, r.shared(t, k, b)}
			}
		}
	}
	for n := len(path); n > 0; n-- {
		key := strings.Join(path[:n], ".")
		for _, b := range r.header.Consts {
			if b.Name == key {
				return resolution{san.InConst, key, map[string]bool{b.Value.String(): true}}
			}
		}
	}
	return resolution{}
}

// shared is the definition of docs/semantics.md, "A shared variable", word by word.
func (r *reference) shared(t string, k int, v event.Binding) map[string]bool {
	entry := event.Ref{Task: t, K: k}
	hasEntry := k > 0
	if k == 0 {
		entry, hasEntry = r.spawner[t]
	}
	exit := event.Ref{Task: t, K: k + 1}
	hasExit := k < len(r.events[t])
	values := make(map[string]bool)
	upToEntry := func(w event.Ref) bool {
		return hasEntry && (r.action[w] == r.action[entry] || r.precedes(w, entry))
	}
	initial := true
	writes := make(map[event.Ref]event.Value)
	r.each(func(x event.Ref, e *event.Event) {
		for _, b := range e.Write {
			if b.Name == v.Name {
				writes[x] = b.Value
			}
		}
	})
	for w, value := range writes {
		if upToEntry(w) {
			initial = false
		}
		counts := !hasExit || r.action[exit] != r.action[w] && !r.precedes(exit, w)
		for other := range writes {
			if upToEntry(other) && r.precedes(w, other) {
				counts = false
			}
		}
		if counts {
			values[value.String()] = true
		}
	}
	if initial {
		values[v.Value.String()] = true
	}
	return values
}
