package reorder

import (
	"cmp"
	"slices"

	"github.com/antichain-go/antichain/tracer/op"
)

// maxSteps bounds a schedule: of more steps it has the latest.
const maxSteps = 32

// timedStep is a step with its place in the log.
type timedStep struct {
	op.Step
	part int // 1 in the tail
	seq  int64
}

// Schedule returns operations of the prefix in their order, most left out: go statements that lead
// to the points, and beginnings and ends of sections. The sections are those that are open at the
// points, and the last one of each task and lock that comes after a section in the run which is not
// in the prefix.
func (p *Prefix) Schedule() []op.Step {
	var steps []timedStep
	wanted := p.overtakingSections()
	for _, x := range p.points {
		for s := p.history.innermost(x); s != nil; s = s.outer.openAt(x.Done) {
			wanted[s] = true
		}
		steps = append(steps, p.goStatements(x.Task)...)
	}
	for s := range wanted {
		steps = append(steps, p.stepsOf(s)...)
	}
	for i := range steps {
		if p.inTail(steps[i].Task, steps[i].K) {
			steps[i].part = 1
		}
	}
	slices.SortFunc(steps, func(a, b timedStep) int {
		return cmp.Or(a.part-b.part, cmp.Compare(a.seq, b.seq), cmp.Compare(a.Other, b.Other))
	})
	steps = slices.CompactFunc(steps, func(a, b timedStep) bool { return a == b })
	steps = steps[max(0, len(steps)-maxSteps):]
	schedule := make([]op.Step, len(steps))
	for i := range steps {
		schedule[i] = steps[i].Step
	}
	return schedule
}

// overtakingSections returns the last section of each task and lock in the prefix that overtakes
// another one: that comes before it in the run, and is not in the prefix, or in the tail.
func (p *Prefix) overtakingSections() map[*section]bool {
	left := map[*lock][]*section{} // not in the prefix: the first one, and the first exclusive one
	last := map[*use]*section{}
	for e := range p.history.log.all() {
		s := e.section
		switch {
		case e.kind != entryAcquire:
		case !p.has(e.task.id, e.k), p.inTail(e.task.id, e.k):
			if of := left[s.lock]; !slices.ContainsFunc(of, func(x *section) bool { return !x.reads() || s.reads() }) {
				left[s.lock] = append(of, s)
			}
		case slices.ContainsFunc(left[s.lock], s.excludes):
			last[s.use] = s
		}
	}
	found := map[*section]bool{}
	for _, s := range last {
		found[s] = true
	}
	return found
}

func (p *Prefix) has(t op.Task, k int32) bool { return p.operationsDone(t) >= k }

// inTail reports whether an operation of a task in the prefix is in the tail.
func (p *Prefix) inTail(t op.Task, k int32) bool {
	return p.last != nil && p.last.Task == t && k >= p.last.from
}

// goStatements returns the go statements that led to a task, as far as is remembered.
func (p *Prefix) goStatements(t op.Task) []timedStep {
	var steps []timedStep
	for x := p.history.tasks[t]; x != nil && x.born != nil && len(steps) < maxSteps; x = x.born.parent {
		b := x.born
		start := op.Step{Task: b.parent.id, Other: x.id, Kind: op.Go, At: b.at, K: b.k}
		steps = append(steps, timedStep{Step: start, seq: b.seq})
	}
	return steps
}

// stepsOf returns the beginning of a section, and its end if the prefix has it.
func (p *Prefix) stepsOf(s *section) []timedStep {
	begin := op.Step{Task: s.task.id, Other: op.NoTask, Kind: s.kind, Object: s.lock.object, At: s.at, K: s.k}
	steps := []timedStep{{Step: begin, seq: s.seq}}
	if s.endTask != nil && p.has(s.endTask.id, s.endK) {
		end := begin
		end.Task, end.Kind, end.At, end.K = s.endTask.id, s.endKind, s.endAt, s.endK
		steps = append(steps, timedStep{Step: end, seq: s.endSeq})
	}
	return steps
}
