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
	Source spec.Formula // nil of a part of an atom
	Local  spec.Local   // of an atom, and of a part of one
	Task   san.Task     // of an atom; of a part of a quantifier the one that it is about
	OfTask bool         // Task is set
	Truth  []lsl.Truth  // by slice
	Known  int          // of how many slices, from the first, the truth was found in time
	Parts  []*Course
}

// maxCourseTasks is for how many tasks a quantifier shows its part.
const maxCourseTasks = 8

// CourseOf finds the truth of each part of the formula of a violation in slices along a schedule,
// which begins in the initial slice: in those behind the first stops[i] actions, ascending. A
// budget that runs out leaves slices without a truth. It is nil of a result that is no violation of
// a property of a specification.
func CourseOf(ctx context.Context, r *Result, schedule []san.Action, stops []int, opt Options) *Course {
	if r.Witness == nil || r.compiled == nil || r.Net == nil {
		return nil
	}
	f := r.compiled
	if len(f.Set.Formulas) > 1 {
		// positions in what it shares with another property may be those of that one
		f = formula.Compile(f.Property, f.Set.Logic)
	}
	ctx, cancel := opt.limit(ctx)
	defer cancel()
	c, err := newCheck(ctx, r.Net, f, opt)
	v, missing := c.place(nil, r.Witness.TIVA)
	if missing != nil || err != nil {
		return nil
	}
	x := &courseFinder{explainer: c.search.explainer(v.tiva), states: courseSlices(c.search.lat, schedule, stops)}
	return x.course(f.Root)
}

// courseSlices are the slices behind the first stops[i] actions of a schedule.
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
		if !ok { // no schedule from the initial slice
			break
		}
		all = append(all, slice)
	}
	return all
}

// courseFinder finds the truth of parts of a formula.
type courseFinder struct {
	*explainer
	states []slices.Ideal
}

// course is that of a part for the tasks in env.
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
	// in the first slice with the task, and then in the one that is looked at
	var why *lsl.Explanation
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

// addLocal adds the truth of the parts of an atom in slice i. Slices before it in which there was
// no truth have an undefined one.
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

// fill says that the part of an atom is undefined in the slices up to n that have no truth, since
// the task is not created there.
func (c *Course) fill(n int) {
	c.Truth = append(c.Truth, stdslices.Repeat([]lsl.Truth{lsl.Undefined}, max(n-len(c.Truth), 0))...)
	c.Known = len(c.Truth)
	for _, p := range c.Parts {
		p.fill(n)
	}
}
