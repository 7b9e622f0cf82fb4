package causality

import "slices"

// waitCounter has the additions to a WaitGroup's counter that have not been taken away.
//
// The counter is never negative, so each unit that is taken away comes after one that was added.
// Each gets a different one: then in every global state that respects this, at least as much has
// been added as was taken away. The run does not show which belong together. It prefers one of its
// own, and else takes the oldest that is left, which mostly comes before anyway.
type waitCounter struct{ added []addition }

// addition is an amount that was added, its task, and the knowledge at that time.
type addition struct {
	n    int64
	by   *goroutine
	know causalKnowledge
}

// maxChoice is among how many of the oldest additions countDown looks for one by the same
// goroutine.
const maxChoice = 8

// countUp notes that g has added n.
func (p *Order) countUp(g *goroutine, o *object, n int64) {
	c := ensure(&o.ensureRare().counter)
	c.added = append(c.added, addition{n, g, g.know})
}

// countDown orders the addition of the units that g takes away before it.
func (p *Order) countDown(g *goroutine, o *object, n int64) {
	if o.rare == nil || o.rare.counter == nil {
		return // added before tracing began
	}
	c := o.rare.counter
	for n > 0 && len(c.added) > 0 {
		i := max(0, slices.IndexFunc(c.added[:min(len(c.added), maxChoice)],
			func(a addition) bool { return a.by == g }))
		a := &c.added[i]
		p.learnMore(g, &a.know, decides)
		taken := min(n, a.n)
		n, a.n = n-taken, a.n-taken
		if a.n > 0 {
			break
		}
		copy(c.added[1:], c.added[:i])
		c.added[0] = addition{}
		c.added = c.added[1:]
	}
	if len(c.added) == 0 {
		c.added = nil
	}
}
