package tlcheck

import (
	"context"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Course is the truth of a part of a formula in slices that a schedule passes through.
type Course struct {
	Source spec.Formula // nil for a part of an atom
	Local  spec.Local   // of an atom or a part of one
	Task   san.Task     // of an atom; for a part of a quantifier, the bound task
	OfTask bool         // Task is set
	Truth  []lsl.Truth  // by slice
	Known  int          // the number of slices, from the first, whose truth was found in time
	Parts  []*Course
}

// maxCourseTasks bounds the tasks for which the part of a quantifier is shown.
const maxCourseTasks = 8

// CourseOf computes the truth of each part of the formula of a violation along a schedule that
// begins in the initial slice: in the slices after the first stops[i] actions, ascending. If a
// budget runs out, later slices have no truth. It returns nil for a result that is not a violation
// of a specification's property.
func CourseOf(ctx context.Context, r *Result, schedule []san.Action, stops []int, opt Options) *Course {
	if r.Witness == nil || r.compiled == nil || r.Net == nil {
		return nil
	}
	ctx, cancel := opt.limitContext(ctx)
	defer cancel()
	c, err := r.check(ctx, opt)
	v, missing := c.sliceAndTIVA(nil, r.Witness.TIVA)
	if missing != nil || err != nil {
		return nil
	}
	x := &courseFinder{explainer: c.search.explainer(v.tiva), states: courseSlices(c.search.lat, schedule, stops)}
	return x.course(c.search.formula.Root)
}

// courseSlices returns the slices after the first stops[i] actions of a schedule.
func courseSlices(lat *slices.Lattice, schedule []san.Action, stops []int) []slices.Ideal {
	var all []slices.Ideal
	counts := make([]int, lat.Net().Tasks())
	done := 0
	for _, stop := range stops {
		for ; done < stop; done++ {
			for _, s := range lat.Net().Sides(schedule[done]) {
				counts[s.Task] = int(s.K)
			}
		}
		slice, ok := lat.Ideal(counts)
		if !ok { // the schedule does not begin in the initial slice
			break
		}
		all = append(all, slice)
	}
	return all
}

// courseFinder computes the truth of parts of a formula.
type courseFinder struct {
	*explainer
	states []slices.Ideal
}

// course returns the course of a part for the tasks in env.
func (x *courseFinder) course(f *formula.Part) *Course {
	c := &Course{Source: f.Source}
	for _, s := range x.states {
		truth, err := x.truth(f, s)
		if err != nil {
			break
		}
		c.Truth = append(c.Truth, truth)
	}
	c.Known = len(c.Truth)
	switch src := f.Source.(type) {
	case *spec.Atom:
		c.Task, c.OfTask, c.Local = x.env[f.Slot], true, src.Local
		x.local(c, f)
	case *spec.Quant:
		outer := x.env[f.Slot]
		for t := range san.Task(min(x.net.Tasks(), maxCourseTasks)) {
			x.include(t)
			x.env[f.Slot] = t
			part := x.course(f.Kids[0])
			part.Task, part.OfTask = t, true
			c.Parts = append(c.Parts, part)
		}
		x.env[f.Slot] = outer
	default:
		for _, k := range f.Kids {
			c.Parts = append(c.Parts, x.course(k))
		}
	}
	return c
}

// local adds the parts of an atom, if it has any.
func (x *courseFinder) local(c *Course, f *formula.Part) {
	walker := x.net.Walk(c.Task)
	var why *lsl.Explanation // of the first slice with the task, then of the current one
	before := -1
	for i, s := range x.states[:c.Known] {
		if !x.lat.Created(s, c.Task) {
			continue
		}
		if at := s.At(c.Task); at != before {
			walker.Seek(at)
			why = x.atoms.byNumber[f.Atom].Explain(walker.State())
			before = at
		}
		addLocal(c, why, i)
	}
	for _, part := range c.Parts {
		part.fill(c.Known)
	}
}

// addLocal adds the truth of the parts of an atom in slice i. They are undefined in earlier slices
// in which they have no truth.
func addLocal(c *Course, why *lsl.Explanation, i int) {
	for n, p := range why.Parts {
		if n == len(c.Parts) {
			c.Parts = append(c.Parts, &Course{Local: p.Source})
		}
		part := c.Parts[n]
		part.fill(i)
		part.Truth = append(part.Truth, p.Truth)
		part.Known = len(part.Truth)
		addLocal(part, p, i)
	}
}

// fill marks the part of an atom as undefined in the slices up to n without a truth, in which the
// task is not created.
func (c *Course) fill(n int) {
	c.Truth = append(c.Truth, stdslices.Repeat([]lsl.Truth{lsl.Undefined}, max(n-len(c.Truth), 0))...)
	c.Known = len(c.Truth)
	for _, p := range c.Parts {
		p.fill(n)
	}
}
