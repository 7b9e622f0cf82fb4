package workload

import (
	"fmt"
	"math/rand/v2"

	"github.com/antichain-go/antichain/tracer/event"
)

// Shifts are runs of any length with workers that come and go: task main starts them, learns that
// one has ended and starts another. They share a lock. A worker is in the function critical while
// it holds the lock, then in unlock; in between it works.
type Shifts struct {
	Workers int // at a time, at least 2
	Seed    uint64
	Idle    bool // add a task that never learns of anything
}

// Formulas about shifts, which hold: a boolean one, one with before, and one with next.
var ShiftFormulas = []string{
	"not (t1:(in.critical) and t2:(in.critical)) if t1 != t2",
	"(t1:(in.critical) -> (t1:(in.unlock) before t2:(in.critical))) if t1 != t2",
	"(t1:(in.critical) -> not next t2:(in.critical)) if t1 != t2",
}

// Header returns the header of the trace.
func (s Shifts) Header() *event.Header {
	h := &event.Header{Tasks: []string{"main"}}
	if s.Idle {
		h.Tasks = append(h.Tasks, "idle")
	}
	return h
}

// Each calls f with the first n events of the run, and then with the events that end it. f may keep
// the event only until it returns. An error of f ends the run.
func (s Shifts) Each(n int, f func(*event.Event) error) error {
	r := &shifts{rnd: rand.New(rand.NewPCG(s.Seed, 0)), last: map[string]int{}, out: f}
	var crew []*worker
	for range s.Workers {
		crew = append(crew, r.start())
	}
	for r.made < n && r.err == nil {
		i := r.rnd.IntN(len(crew))
		if w := crew[i]; !r.work(w) {
			r.relieve(w)
			crew[i] = r.start()
		}
	}
	for len(crew) > 0 && r.err == nil {
		i := r.rnd.IntN(len(crew))
		crew[i].left = 0
		if w := crew[i]; !r.work(w) {
			r.relieve(w)
			crew = append(crew[:i], crew[i+1:]...)
		}
	}
	r.emit(event.Event{Task: "main", Op: "end"})
	return r.err
}

// shifts is a run under construction.
type shifts struct {
	rnd      *rand.Rand
	started  int
	holder   *worker
	unlocked event.Ref
	last     map[string]int // by task: number of events made
	made     int
	out      func(*event.Event) error
	err      error
}

// worker is a task. It repeats the events of a round, and ends between two rounds.
type worker struct {
	name string
	at   int // index in the round
	left int // rounds after this one
}

// round is the events of a worker. Between the elements idle and idle+1 it works for a while.
var round = []event.Event{
	{Op: "lock", At: "shifts.go:1"},
	{Enter: "critical", At: "shifts.go:2"},
	{Op: "count", At: "shifts.go:3"},
	{Exit: "critical", At: "shifts.go:4"},
	{Enter: "unlock", At: "shifts.go:5"},
	{Exit: "unlock", At: "shifts.go:6"},
}

// idle is the number of events of work after a round.
const idle = 60

// work makes the next event of a worker, if it need not wait for the lock. It returns false if that
// was the last one.
func (r *shifts) work(w *worker) bool {
	if w.at >= len(round) {
		if w.left == 0 {
			r.emit(event.Event{Task: w.name, Op: "end"})
			return false
		}
		r.emit(event.Event{Task: w.name, Op: "work", At: "shifts.go:7"})
		if w.at++; w.at == len(round)+idle {
			w.at, w.left = 0, w.left-1
		}
		return true
	}
	if w.at == 0 && r.holder != nil {
		return true
	}
	e := round[w.at]
	e.Task = w.name
	switch {
	case w.at == 0:
		r.holder = w
		if r.unlocked.K > 0 {
			e.After = []event.Ref{r.unlocked}
		}
	case e.Op == "count":
		e.Set = []event.Binding{{Name: "round", Value: event.IntValue(int64(w.left))}}
	}
	r.emit(e)
	if w.at++; w.at == len(round) {
		r.holder, r.unlocked = nil, event.Ref{Task: w.name, K: r.last[w.name]}
	}
	return true
}

func (r *shifts) start() *worker {
	r.started++
	w := &worker{name: fmt.Sprint("main.", r.started), at: len(round), left: 10 + r.rnd.IntN(60)}
	r.emit(event.Event{Task: "main", Op: "go", Spawn: w.name, At: "shifts.go:8"})
	return w
}

// relieve makes main learn that a worker has ended.
func (r *shifts) relieve(w *worker) {
	r.emit(event.Event{Task: "main", Op: "join", After: []event.Ref{{Task: w.name, K: r.last[w.name]}},
		At: "shifts.go:9"})
	delete(r.last, w.name)
}

func (r *shifts) emit(e event.Event) {
	if r.err == nil {
		r.err = r.out(&e)
	}
	r.last[e.Task]++
	r.made++
}
