package builtin

import (
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/op/clock"
	"github.com/antichain-go/antichain/tracer/snapshot"
)

// Remembers implements op.Forgetter: with all tasks that its state has.
func (c *Checker) Remembers(see func(op.Task)) bool {
	snapshot.Values(c, func(t *op.Task) { see(*t) })
	return true
}

// Forget implements op.Forgetter.
func (c *Checker) Forget(s *clock.Sweep) {
	c.waits.forget(s)
	if c.state != nil {
		c.state.Forget(s)
	}
	forEach(c, func(d interface{ Forget(*clock.Sweep) }) { d.Forget(s) })
	snapshot.Values(c, s.Clock)
}

var _ op.Forgetter = (*Checker)(nil)
