package verification

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tracer/op"
)

// neighbour is an order close to a schedule.
type neighbour struct {
	words    string
	schedule *schedule.Schedule
}

// shifts are by how many operations of its goroutine a step comes earlier or later.
var shifts = []int{-1, 1, -2, 2}

// neighbours returns orders close to a schedule, the closest ones first: that of the operations of
// the run that take the part of its steps, if the lines of some are gone; those in which a step
// comes before or behind others; those in which a goroutine takes its turn an operation earlier or
// later; those with a step less. original is the schedule with the steps that are gone.
func (l *log) neighbours(s, original *schedule.Schedule, source schedule.Sources) (all []neighbour) {
	if l.names == nil {
		return nil
	}
	steps := l.match(original)
	base := s
	if len(s.Steps) < len(original.Steps) {
		if moved := l.scheduleOf(steps, source); moved != nil {
			all = append(all, neighbour{words(moved), moved})
			base = moved
		}
	}
	all = append(all, reorderings(base)...)
	for _, by := range shifts {
		for i := range steps {
			shifted := slices.Clone(steps)
			if shifted[i] = l.shift(steps[i], by); shifted[i] < 0 {
				continue
			}
			if moved := l.scheduleOf(shifted, source); moved != nil {
				all = append(all, neighbour{words(moved), moved})
			}
		}
	}
	return append(all, shortenings(base)...)
}

// words describes the order of a schedule.
func words(s *schedule.Schedule) string {
	var all []string
	for _, step := range s.Steps {
		all = append(all, step.Words())
	}
	return strings.Join(all, " before ")
}

// reorderings returns the orders in which one step has another position among those of other
// goroutines, the nearest positions first.
func reorderings(s *schedule.Schedule) (all []neighbour) {
	n := len(s.Steps)
	for distance := 1; distance < n; distance++ {
		for i := range n - distance {
			for _, move := range [][2]int{{i, i + distance}, {i + distance, i}} {
				if distance == 1 && move[0] > i {
					break // it is the same order
				}
				if moved := moveStep(s, move[0], move[1]); moved != nil {
					all = append(all, neighbour{words(moved), moved})
				}
			}
		}
	}
	return all
}

// moveStep returns the schedule with a step at another position; nil if it would pass another step
// of its goroutine.
func moveStep(s *schedule.Schedule, from, to int) *schedule.Schedule {
	step := s.Steps[from]
	passed := s.Steps[min(from, to) : max(from, to)+1]
	own := 0
	for _, other := range passed {
		if other.Goroutine == step.Goroutine {
			own++
		}
	}
	if own > 1 {
		return nil
	}
	moved := *s
	moved.Steps = slices.Insert(slices.Delete(slices.Clone(s.Steps), from, from+1), to, step)
	return &moved
}

// shortenings returns the orders with a step less, if that leaves two.
func shortenings(s *schedule.Schedule) (all []neighbour) {
	if len(s.Steps) < 3 {
		return nil
	}
	for i := range s.Steps {
		shorter := *s
		shorter.Steps = slices.Delete(slices.Clone(s.Steps), i, i+1)
		for j := i; j < len(shorter.Steps); j++ {
			if next := &shorter.Steps[j]; next.Goroutine == s.Steps[i].Goroutine {
				if next.At == s.Steps[i].At {
					next.Nth += s.Steps[i].Nth
				}
				break
			}
		}
		all = append(all, neighbour{fmt.Sprintf("%s, without step %d", words(&shorter), i+1), &shorter})
	}
	return all
}

// scheduleOf returns the schedule of operations of the run, by their indices; -1 is none. It is nil
// if less than two goroutines take part.
func (l *log) scheduleOf(steps []int, source schedule.Sources) *schedule.Schedule {
	var operations []schedule.Operation
	tasks, last := make(map[op.Task]bool), make(map[op.Task]int)
	for _, i := range steps {
		if i < 0 {
			continue
		}
		o := l.operations[i]
		if before, ok := last[o.Task]; ok && before >= i {
			return nil // a goroutine does one after the other
		}
		last[o.Task], tasks[o.Task] = i, true
		operations = append(operations, o)
	}
	if len(tasks) < 2 {
		return nil
	}
	s, err := l.visits.Schedule(operations, l.names, source.File)
	if err != nil {
		return nil
	}
	return s
}

// shift returns the index of the operation that many before or behind another one of its goroutine;
// -1 if there is none.
func (l *log) shift(i, by int) int {
	if i < 0 {
		return -1
	}
	step := 1
	if by < 0 {
		step, by = -1, -by
	}
	for j := i + step; j >= 0 && j < len(l.operations); j += step {
		if o := &l.operations[j]; o.Task != l.operations[i].Task || !l.names.Place(o.At).Called {
			continue
		}
		if by--; by == 0 {
			return j
		}
	}
	return -1
}

// match returns the indices of the operations of the run that take the part of the steps of a
// schedule: those on the same lines or, if there are none, of the same kind in the same function.
// -1 stands for none.
func (l *log) match(s *schedule.Schedule) []int {
	found := make([]int, len(s.Steps))
	last := make(map[op.Task]int) // index + 1
	for n, step := range s.Steps {
		best, bestOf := rank{}, -1
		times := 0
		for i := range l.operations {
			o := &l.operations[i]
			if i < last[o.Task] {
				continue
			}
			r := l.rank(o, &step)
			if r.same && r.task {
				if times++; times == step.Nth {
					r.nth = true
				}
			}
			if r.isPossible() && (bestOf < 0 || r.isBetter(best)) {
				best, bestOf = r, i
			}
		}
		found[n] = bestOf
		if bestOf >= 0 {
			last[l.operations[bestOf].Task] = bestOf + 1
		}
	}
	return found
}

// rank says how well an operation takes the part of a step.
type rank struct {
	same, task, nth bool // it is on the same line, of the same goroutine, there for the time wanted
	within, kind    bool // it is in the same function, and of the same kind
	distance        int  // in lines
}

func (l *log) rank(o *schedule.Operation, step *schedule.Step) rank {
	at := l.names.Place(o.At).At
	return rank{
		same: at == step.At, task: l.names.Task(o.Task).Name == step.Goroutine,
		within: step.Function != "" && l.functionOf(o) == declared(step.Function),
		kind:   o.Kind == step.Kind || step.Kind == op.Block, distance: distance(at, step.At),
	}
}

// isPossible reports whether the operation can take the part at all.
func (r rank) isPossible() bool { return r.same || r.within }

func (r rank) isBetter(than rank) bool {
	for _, by := range [][2]bool{
		{r.nth, than.nth}, {r.same && r.task, than.same && than.task}, {r.same, than.same},
		{r.kind, than.kind}, {r.task, than.task},
	} {
		if by[0] != by[1] {
			return by[0]
		}
	}
	return r.distance < than.distance
}

// distance returns how many lines are between two places of a file.
func distance(a, b string) int {
	return max(lineOf(a)-lineOf(b), lineOf(b)-lineOf(a))
}

// lineOf returns the number of the line of a place, 0 if it has none.
func lineOf(at string) int {
	n, _ := strconv.Atoi(at[strings.LastIndexByte(at, ':')+1:])
	return n
}
