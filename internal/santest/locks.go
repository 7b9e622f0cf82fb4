package santest

import (
	"slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// lockState has the open sections of a lock.
type lockState struct {
	writer  event.Ref
	readers []event.Ref
}

// WithLocks turns some events of a trace, in which locks order nothing, into events of locks, as a
// run with this order can have them.
func WithLocks(src Source, tr Trace) Trace {
	locks := map[string]*lockState{}
	count := map[string]int{}
	for _, e := range tr.Events {
		count[e.Task]++
		self := event.Ref{Task: e.Task, K: count[e.Task]}
		e.Op, e.Obj = "", ""
		if e.Spawn != "" || len(e.With) > 0 || src.Intn(8) == 0 {
			continue
		}
		name := []string{"a", "b"}[src.Intn(2)]
		l := locks[name]
		if l == nil {
			l = new(lockState)
			locks[name] = l
		}
		free := event.Ref{}
		switch src.Intn(4) {
		case 0:
			if l.writer == free && len(l.readers) == 0 {
				e.Op, l.writer = "lock", self
			}
		case 1:
			if l.writer == free {
				e.Op, l.readers = "rlock", append(l.readers, self)
			}
		case 2:
			if l.writer != free {
				e.Op = "unlock"
				begins(e, l.writer)
				l.writer = free
			}
		case 3:
			if len(l.readers) > 0 {
				i := 0 // the last section that the task itself began, else the first one
				for j, r := range l.readers {
					if r.Task == e.Task {
						i = j
					}
				}
				e.Op = "runlock"
				begins(e, l.readers[i])
				l.readers = slices.Delete(l.readers, i, i+1)
			}
		}
		if e.Op != "" {
			e.Obj = name
		}
	}
	return tr
}

// begins orders an event, which ends a section, after the one that began it.
func begins(e *event.Event, r event.Ref) {
	if r.Task != e.Task {
		e.After = append(e.After, r)
	}
}

// Excludes reports whether the run's order, restricted to some actions, respects mutual exclusion.
// It replays the run.
func Excludes(net *san.Net, has func(san.Action) bool) bool {
	writers, readers := map[string]int{}, map[string]int{}
	count := make([]int32, net.Tasks())
	for _, t := range net.Recorded(0) {
		count[t]++
		a := san.Action{Task: t, K: count[t]}
		if !has(a) {
			continue
		}
		switch info := net.Event(a); info.Op {
		case "lock":
			if writers[info.Obj]+readers[info.Obj] > 0 {
				return false
			}
			writers[info.Obj]++
		case "rlock":
			if writers[info.Obj] > 0 {
				return false
			}
			readers[info.Obj]++
		case "unlock":
			writers[info.Obj] = 0
		case "runlock":
			readers[info.Obj] = max(readers[info.Obj]-1, 0)
		}
	}
	return true
}
