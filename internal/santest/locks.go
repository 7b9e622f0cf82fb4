package santest

import (
	"fmt"

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
			for i, r := range l.readers {
				if r.Task == e.Task || i == len(l.readers)-1 {
					e.Op = "runlock"
					// The last section that the task itself began, else the first one.
					for j := len(l.readers) - 1; j >= 0; j-- {
						if l.readers[j].Task == e.Task {
							i = j
							break
						}
						i = 0
					}
					begins(e, l.readers[i])
					l.readers = append(l.readers[:i:i], l.readers[i+1:]...)
					break
				}
			}
		}
		if e.Op != "" {
			e.Obj = name
		}
	}
	return tr
}

// Overwrite makes some new locks overwrite others. Sections that are open then do not end in the
// trace.
func Overwrite(src Source, tr Trace) {
	for _, e := range tr.Events {
		if (e.Op == "unlock" || e.Op == "runlock") && src.Intn(4) == 0 {
			e.Op, e.Obj = "", ""
		}
	}
}

// Renewed returns a copy of a trace that renames each overwritten lock from where a new one
// replaces it: where a section begins although an open one excludes it.
func Renewed(tr Trace) Trace {
	type state struct{ times, writers, readers int }
	locks := map[string]*state{}
	renewed := Trace{Header: tr.Header}
	for _, e := range tr.Events {
		e = e.Clone()
		renewed.Events = append(renewed.Events, e)
		l := locks[e.Obj]
		if l == nil {
			l = new(state)
			locks[e.Obj] = l
		}
		if e.Op == "lock" && l.writers+l.readers > 0 || e.Op == "rlock" && l.writers > 0 {
			*l = state{times: l.times + 1}
		}
		switch e.Op {
		case "lock":
			l.writers++
		case "rlock":
			l.readers++
		case "unlock":
			l.writers = 0
		case "runlock":
			l.readers = max(l.readers-1, 0)
		}
		if e.Obj != "" {
			e.Obj = fmt.Sprint(e.Obj, l.times)
		}
	}
	return renewed
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

// WithSections returns a trace of tasks that enter f and g in critical sections of two locks, for
// reading or writing, and sometimes outside of any or beyond their end.
func WithSections(src Source, tasks, steps int) Trace {
	type place struct {
		lock, function string
		reads          bool
	}
	h := &event.Header{Version: 2}
	at := map[string]*place{}
	for i := range tasks {
		name := string(rune('a' + i))
		h.Tasks, at[name] = append(h.Tasks, name), new(place)
	}
	tr := Trace{Header: h}
	for range src.Intn(steps + 1) {
		task := h.Tasks[src.Intn(tasks)]
		p, e := at[task], &event.Event{Task: task}
		lock := []string{"m", "m", "m", "n"}[src.Intn(4)]
		free, read := true, true
		for _, other := range at {
			free = free && other.lock != lock
			read = read && (other.lock != lock || other.reads)
		}
		switch src.Intn(3) {
		case 0:
			switch {
			case p.function == "" && p.lock == "" && src.Intn(8) > 0:
			case p.function == "":
				p.function = []string{"f", "g"}[src.Intn(2)]
				e.Enter = p.function
			default:
				e.Exit, p.function = p.function, ""
			}
		case 1:
			switch {
			case p.lock == "" && free && src.Intn(2) == 0:
				e.Op, e.Obj, p.lock, p.reads = "lock", lock, lock, false
			case p.lock == "" && read:
				e.Op, e.Obj, p.lock, p.reads = "rlock", lock, lock, true
			}
		default:
			if p.lock == "" || p.function != "" && src.Intn(4) > 0 {
				break
			}
			e.Op, e.Obj = "unlock", p.lock
			if p.reads {
				e.Op = "runlock"
			}
			p.lock = ""
		}
		tr.Events = append(tr.Events, e)
	}
	return tr
}
