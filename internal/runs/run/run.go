// Package run joins the traces of several sources into one run. Each source has its own header.
//
//	r, header := run.New[string](first, true) // others may join
//	r.Enter("first", first)
//	for _, e := range r.Join(second) {
//		fmt.Println(e.Spawn) // a task of the second source
//	}
//
// The tasks of the first source exist from the start. If others may join there is also an
// environment task: an event of it creates each task of a later source. It is called env, with
// primes if the first source has a task of that name. The names of the sources' tasks must differ.
//
// The environment task knows nothing of the others, and neither does a task that it creates. So
// everything that has happened may be concurrent with the beginning of that task. While a source
// may join, a checker can discard little. A run may say how many sources it has ([Run.Expect]).
// When all of them have joined, the environment task has ended.
//
// A source that ends in order ends its tasks. One that breaks off leaves them cut off: their
// further events are unknown.
package run

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// Run is a run and the source of each task's events. S names a source.
type Run[S comparable] struct {
	header *event.Header // of the first source
	env    string        // "" if no source can join
	live   map[S]map[string]bool

	// The source of the last event, and some tasks that are known to be of that source, by
	// recentIndex.
	source S
	recent [8]string

	entered  int // number of sources, including those that are over
	expected int // number of sources; 0 if unknown
}

// New returns a run that begins with the header h, and the header of its net. If joined is set,
// other sources may join the run, unless it has no id or is sparse. The header of the net then has
// an environment task.
func New[S comparable](h *event.Header, joined bool) (*Run[S], *event.Header) {
	r := &Run[S]{header: h, live: map[S]map[string]bool{}}
	if !joined || h.Run == "" || h.Sparse {
		return r, h
	}
	r.env = event.EnvTask
	for stdslices.Contains(h.Tasks, r.env) {
		r.env += "'"
	}
	all := *h
	all.Tasks = append(stdslices.Clone(h.Tasks), r.env)
	return r, &all
}

// Env returns the name of the environment task, "" if no source can join.
func (r *Run[S]) Env() string { return r.env }

// Sources returns the number of sources that are not over.
func (r *Run[S]) Sources() int { return len(r.live) }

// Expect notes that the run has n sources, according to the record at pos.
func (r *Run[S]) Expect(n int, pos string) error {
	switch {
	case r.expected > 0 && r.expected != n:
		return r.refuse(pos, "all who say how many sources a run has need to say the same",
			"its number of sources is %d, and others say %d", n, r.expected)
	case n < r.entered:
		return r.refuse(pos, "count all sources of the run", "its number of sources is %d, and %d have come", n,
			r.entered)
	}
	r.expected = n
	return nil
}

// All reports whether the run is known to have no further sources.
func (r *Run[S]) All() bool { return r.expected > 0 && r.entered == r.expected }

// Missing returns the number of sources that have not entered, and the total, as far as it is
// known.
func (r *Run[S]) Missing() (n, of int) { return max(0, r.expected-r.entered), r.expected }

// Admits returns an error at pos if a source with that header cannot join. creates reports whether
// a task exists.
func (r *Run[S]) Admits(h *event.Header, pos string, creates func(task string) bool) error {
	refuse := func(remedy, format string, args ...any) error { return r.refuse(pos, remedy, format, args...) }
	if r.All() {
		return refuse("count all sources of the run", "a source more than the %d that it has", r.expected)
	}
	for _, t := range h.Tasks {
		if creates(t) {
			return refuse("the producers of a run need tasks of different names", "task %q is there already", t)
		}
	}
	switch first := r.header; {
	case h.Sparse, r.env == "":
		return refuse("record it with a specification that needs all goroutines",
			"a trace that lacks goroutines cannot be joined with others")
	case !within(h.Consts, first.Consts):
		return refuse("all headers of a run need the same constants", "its first producer has other constants")
	case !within(h.Shared, first.Shared):
		return refuse("all headers of a run need the same shared variables",
			"its first producer has other shared variables")
	case h.Instrumented != nil && first.Instrumented != nil && !reflect.DeepEqual(h.Instrumented, first.Instrumented):
		return refuse("build all programs of a run with the same specification",
			"its first producer records other functions and variables")
	}
	return nil
}

func (r *Run[S]) refuse(pos, remedy, format string, args ...any) error {
	return &event.Error{Pos: pos, Reason: fmt.Sprintf("run %q: ", r.header.Run) + fmt.Sprintf(format, args...),
		Remedy: remedy}
}

// within reports whether all variables are among those of the first source, with the same values.
func within(bs, first []event.Binding) bool {
	for _, b := range bs {
		same := func(c event.Binding) bool { return c.Name == b.Name && c.Value.Equal(b.Value) }
		if !stdslices.ContainsFunc(first, same) {
			return false
		}
	}
	return true
}

// Join returns the events that create the tasks of a later source, which are to follow them.
func (r *Run[S]) Join(h *event.Header) []*event.Event {
	var created []*event.Event
	for _, t := range h.Tasks {
		created = append(created, &event.Event{Task: r.env, Spawn: t, Op: "go"})
	}
	return created
}

// Enter adds a source.
func (r *Run[S]) Enter(s S, h *event.Header) {
	live := map[string]bool{}
	if r.env != "" {
		for _, t := range h.Tasks {
			live[t] = true
		}
	}
	r.live[s] = live
	clear(r.recent[:])
	r.entered++
}

// Took notes that the task of an event belongs to its sender: of several senders, to the last one.
// A task that was created and has done nothing belongs to no source, since another one may send its
// events.
func (r *Run[S]) Took(s S, e *event.Event) {
	if r.env == "" || !e.IsAction() {
		return
	}
	recent := &r.recent[recentIndex(e.Task)]
	if *recent == e.Task && r.source == s && e.Op != event.OpEnd {
		return
	}
	if r.source != s {
		r.source = s
		clear(r.recent[:])
	}
	switch live := r.live[s]; {
	case e.Op == event.OpEnd:
		delete(live, e.Task)
		clear(r.recent[:])
		return
	case !live[e.Task]:
		for _, other := range r.live {
			delete(other, e.Task)
		}
		live[e.Task] = true
	}
	*recent = e.Task
}

// recentIndex hashes the end of a task's name, where the names of a source's tasks differ.
func recentIndex(task string) uint {
	n := uint(len(task))
	if n == 0 {
		return 0
	}
	return (n + 3*uint(task[n-1]) + 7*uint(task[n/2])) % 8
}

// Leave removes a source and returns its tasks that have not ended.
func (r *Run[S]) Leave(s S) []string {
	tasks := stdslices.Sorted(maps.Keys(r.live[s]))
	delete(r.live, s)
	clear(r.recent[:])
	return tasks
}

// Snapshot writes or reads a run, without the header of its first source, which is the caller's.
func Snapshot[S cmp.Ordered](snap *snapshot.Codec, r *Run[S], source func(*S)) {
	snap.String(&r.env)
	snapshot.Int(snap, &r.entered)
	snapshot.Int(snap, &r.expected)
	snapshot.Map(snap, &r.live, cmp.Compare, source, func(live *map[string]bool) {
		snapshot.Map(snap, live, cmp.Compare, snap.String, snap.Bool)
	})
}
