package causality

import "slices"

// waitCounter is what has been added to the counter of a WaitGroup and not been taken away.
//
// The counter is never negative, so something that is taken away comes after something that was added. Each is taken for another
// one: in every global state that respects that, at least as much has been added as was taken away. Which ones belong together the run
// does not say, so it is one of its own, if there is one, or else the oldest that is left, which mostly comes before anyway.
type waitCounter struct{ added []addition }

// addition is so much that was added, by whom, and what was known then.
type addition struct {
	n    int64
	by   *goroutine
	know causalKnowledge
}

// maxChoice bounds the additions among which one of its own is looked for.
const maxChoice = 8

// countUp notes that g has added n.
func (p *Order) countUp(g *goroutine, o *object, n int64) {
	c := used(&o.uncommon().counter)
	c.added = append(c.added, addition{n, g, g.know})
}

// countDown lets g, which takes n away, know where that comes from.
func (p *Order) countDown(g *goroutine, o *object, n int64) {
	if o.more == nil || o.more.counter == nil {
		return // traced since later
	}
	c := o.more.counter
	for n > 0 && len(c.added) > 0 {
		i := max(0, slices.IndexFunc(c.added[:min(len(c.added), maxChoice)], func(a addition) bool { return a.by == g }))
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
