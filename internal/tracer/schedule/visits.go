package schedule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// Visits remembers where the goroutines of a run have been.
type Visits struct {
	tracks visitLog
	starts map[op.Task][]start // by parent
	count  int
}

// start is a goroutine that a task has started.
type start struct {
	task op.Task
	at   op.Place
}

// maxVisits bounds the recorded visits; each takes two to four bytes.
const maxVisits = 1 << 24

// ErrTooLong says that a run has too many operations to count the visits of each place.
var ErrTooLong = fmt.Errorf("the run has more than %d operations", maxVisits)

// Op implements op.Watcher.
func (v *Visits) Op(o *op.Op) {
	if o.Task != op.NoTask {
		v.add(o.Task, o.Kind, visit{o.K, o.At, o.Object})
	}
	if o.Kind == op.Go && o.Task != op.NoTask && v.count <= maxVisits {
		if v.starts == nil {
			v.starts = make(map[op.Task][]start)
		}
		v.starts[o.Task] = append(v.starts[o.Task], start{o.Other, o.At})
		v.count++
	}
	if o.Kind == op.Handoff && o.Other != op.NoTask {
		v.add(o.Other, op.Recv, visit{o.OtherK, o.OtherAt, o.Object})
	}
}

func (v *Visits) add(t op.Task, kind op.Kind, at visit) {
	if !counts(kind) || v.count > maxVisits {
		return
	}
	v.tracks.add(t, at)
	v.count++
}

// counts reports whether the program counts visits of this kind of operation's place.
func counts(k op.Kind) bool {
	switch k {
	case op.Send, op.Recv, op.Handoff, op.Close, op.RecvClosed, op.Lock, op.Unlock, op.RLock, op.RUnlock, op.Add,
		op.Done, op.Wait,
		op.CondWait, op.Signal, op.Broadcast, op.AtomicLoad, op.AtomicStore:
		return true
	}
	return false
}

// An Operation is one that a schedule is to have.
type Operation struct {
	Task op.Task
	// its number among those of the task; 0 if unknown: then it is the first at its place
	K      int32
	Kind   op.Kind
	Object op.Object // 0: it may be any
	At     op.Place
}

// Schedule returns a schedule of these operations of the run. source, which may be nil, returns the
// file of a place, and the number of the line.
func (v *Visits) Schedule(operations []Operation, names op.Names,
	source func(at string) (src []byte, line int, ok bool)) (*Schedule, error) {
	if v.count > maxVisits {
		return nil, ErrTooLong
	}
	s := new(Schedule)
	last := make(map[op.Task]int32)
	var objects objectNumbers
	for _, o := range operations {
		place := names.Place(o.At)
		if place.At == "" || !place.Called {
			return nil, fmt.Errorf("where %s does %q is not in the program's own code", names.Task(o.Task).Name, o.Kind)
		}
		if err := v.addOrigin(s, o.Task, names, source); err != nil {
			return nil, err
		}
		before, objectsBefore := v.countBefore(&o, last[o.Task], place.At, names)
		s.Steps = append(s.Steps, Step{
			Goroutine: names.Task(o.Task).Name, Kind: o.Kind,
			Nth: 1 + before, Others: objectsBefore,
			Object: objects.number(&o),
			Line:   lineOf(place, source),
		})
		last[o.Task] = max(last[o.Task], o.K)
	}
	return s, nil
}

// objectNumbers are the objects of steps, in the order in which these come.
type objectNumbers []op.Object

// number returns the number of the object of an operation, 0 if it has none. A select statement
// may operate on any of several.
func (all *objectNumbers) number(does *Operation) int {
	o := does.Object
	if o == 0 || does.Kind == op.Select {
		return 0
	}
	i := slices.Index(*all, o)
	if i < 0 {
		if len(*all) == ring.MaxObjects {
			return 0
		}
		i, *all = len(*all), append(*all, o)
	}
	return i + 1
}

// countBefore returns how often the task of an operation was at its line since its operation from,
// and on how many objects it operated there: 0 if the object of the operation is one of them.
func (v *Visits) countBefore(o *Operation, from int32, at string, names op.Names) (n, objects int) {
	seen := make(map[op.Object]bool)
	for x := range v.tracks.visitsOf(o.Task) {
		if x.k > from && x.k < o.K && names.Place(x.at).At == at {
			n++
			seen[x.object] = true
		}
	}
	if seen[o.Object] {
		return n, 0
	}
	return n, len(seen)
}

// addOrigin adds the go statement of a task to a schedule, after the go statements of its
// ancestors.
func (v *Visits) addOrigin(s *Schedule, t op.Task, names op.Names, source func(string) ([]byte, int, bool)) error {
	o := names.Task(t)
	if o.Name == "main" || slices.ContainsFunc(s.Goroutines, func(g Goroutine) bool { return g.Name == o.Name }) {
		return nil
	}
	place := names.Place(o.At)
	if o.By == op.NoTask || names.Task(o.By).Name != Parent(o.Name) || place.At == "" {
		return fmt.Errorf("%s was not started by a go statement of the program", o.Name)
	}
	if err := v.addOrigin(s, o.By, names, source); err != nil {
		return err
	}
	s.Goroutines = append(s.Goroutines, Goroutine{
		Name: o.Name, By: names.Task(o.By).Name, Nth: v.indexAmong(t, o.By, place.At, names),
		Line: lineOf(place, source),
	})
	return nil
}

// indexAmong returns the number of task t among the tasks that one goroutine started on a line.
func (v *Visits) indexAmong(t, by op.Task, at string, names op.Names) int {
	n := 1
	for _, other := range v.starts[by] {
		if other.task == t {
			break
		}
		if names.Place(other.at).At == at {
			n++
		}
	}
	return n
}

func lineOf(place op.Location, source func(string) ([]byte, int, bool)) Line {
	for _, f := range place.Stack {
		if f.At == place.At {
			return LineAt(place.At, f.Function, source)
		}
	}
	return LineAt(place.At, "", source)
}

// LineAt returns the line at a position in a function, with its text if the source, which may be
// nil, has it.
func LineAt(at, function string, source func(string) ([]byte, int, bool)) Line {
	l := Line{At: at, Function: function}
	if source != nil {
		if src, line, ok := source(at); ok {
			x := parse("", src)
			if line <= len(x.lines) {
				l.Text, l.Alike = strings.TrimSpace(x.lines[line-1]), x.countSimilar(function, line)
			}
		}
	}
	return l
}
