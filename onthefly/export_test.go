package onthefly

import (
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Stages returns how many stages a checker of properties has.
func Stages(props []*spec.Property, logic lsl.Logic) int {
	set := formula.CompileSet(props, logic)
	b := newBuilder(set)
	for _, f := range set.Formulas {
		b.root(f)
	}
	return len(b.stages)
}

// SetPatience sets how many events a checker keeps in any case.
func (c *Checker) SetPatience(events int) { c.patience = events }

// Patience returns it.
func (c *Checker) Patience() int { return c.patience }

// OpenIntervals returns how many open intervals all nodes keep.
func (c *Checker) OpenIntervals() int {
	n := 0
	for _, m := range c.memories {
		n += m.size()
	}
	return n
}

// Thorough makes a checker pass nothing over (quiet.go), and no leaf make a row of another one.
func (c *Checker) Thorough() {
	c.thorough = true
	for _, s := range c.stages {
		if n, ok := s.node.(*conjunctionJoin); ok {
			clear(n.leaves)
		}
	}
}

// Everywhere makes windows evaluate their formulas in all slices.
func (c *Checker) Everywhere() {
	for _, s := range c.stages {
		if n, ok := s.node.(*window); ok {
			n.ahead = unbounded
		}
	}
}
