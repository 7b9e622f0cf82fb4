package poset

import (
	"context"
	"math/big"

	"github.com/antichain-go/antichain/san"
)

// Assignments returns the number of pairs of an ideal and an assignment of a task to each role that
// the tasks can play in it. Unlike Ideals it returns false if the number is not found.
func (p *Poset) Assignments(ctx context.Context, roles Roles) (*big.Int, bool) {
	r := newTaskRoles(p, roles)
	c := &roleCounter{
		counter: counter{p: p, ctx: ctx, local: make([]int32, p.Len()), roles: r},
		at:      make([]int32, p.net.Tasks()),
		number:  make([]int32, p.net.Tasks()),
	}
	for _, spawned := range r.spawned {
		for _, a := range spawned {
			c.at[a.Task] = -1
		}
	}
	all := p.elements()
	moves := make([]bool, len(c.at))
	for _, t := range c.tasks(all) {
		moves[t] = true
	}
	var others []san.Task
	for t := range san.Task(len(c.at)) {
		if !moves[t] {
			others = append(others, t)
		}
	}
	s, ok := c.partSum(all)
	if !ok {
		return nil, false
	}
	result := newSum(len(s))
	result.multiply(s, c.newTaskProduct(others).total())
	return result[len(result)-1], true
}

// roleCounter counts assignments as counter counts ideals. For each part it computes the sum of the
// tasks that have an event in it.
type roleCounter struct {
	counter
	// by task: its local state before the present part or, once the part is counted, after it
	at     []int32
	number []int32 // by task: its index in the last result of tasks
}

// sets returns the sets of roles that a task can play in its present local state.
func (c *roleCounter) sets(t san.Task) RoleSets { return c.roles.sets(t, int(c.at[t])) }

// tasks returns the tasks with an event in the part.
func (c *roleCounter) tasks(part []int32) []san.Task {
	var tasks []san.Task
	for _, e := range part {
		for _, side := range c.sides(e) {
			if i := c.number[side.Task]; int(i) >= len(tasks) || tasks[i] != side.Task {
				c.number[side.Task] = int32(len(tasks))
				tasks = append(tasks, side.Task)
			}
		}
	}
	return tasks
}

// pass advances the tasks past elements.
func (c *roleCounter) pass(part []int32) {
	for _, e := range part {
		for _, side := range c.sides(e) {
			c.at[side.Task] = side.K
		}
	}
}

// partSum splits a part into blocks as count does. In an ideal that ends within a block, the other
// tasks of the part are between this block and the one before. An ideal that ends between two
// blocks would count for both.
func (c *roleCounter) partSum(part []int32) (sum, bool) {
	blocks := c.series(part)
	if len(blocks) == 1 && len(part) > 1 {
		return c.blockSum(part)
	}
	rest := c.newTaskProduct(c.tasks(part))
	all, inside := newSum(len(rest.total())), newSum(len(rest.total()))
	all.add(rest.total())
	for i := len(blocks) - 1; i >= 0; i-- { // the last one comes first
		block := blocks[i]
		if c.stopped(i) {
			return nil, false
		}
		moving := c.tasks(block)
		if len(block) > 1 {
			all.subtract(rest.total())
			s, ok := c.blockSum(block)
			if !ok {
				return nil, false
			}
			rest.leaveOut(moving)
			inside.multiply(s, rest.total())
			all.add(inside)
			rest.update(moving)
			continue
		}
		c.pass(block)
		rest.update(moving)
		all.add(rest.total())
	}
	return all, true
}

// blockSum splits a block into components as block does.
func (c *roleCounter) blockSum(block []int32) (sum, bool) {
	components, ok := c.components(block)
	switch {
	case !ok:
		return nil, false
	case len(components) == 1:
		return c.primeSum(block)
	}
	var sums []sum
	for _, part := range components {
		s, ok := c.partSum(part)
		if !ok {
			return nil, false
		}
		sums = append(sums, s)
	}
	return newProductTree(c.roles.counts(), sums).total(), true
}

// primeSum counts a part that cannot be split.
func (c *roleCounter) primeSum(part []int32) (sum, bool) {
	s, ok := c.newSweep(part)
	if !ok {
		return nil, false
	}
	c.pass(part)
	if n, ok := s.treeSum(c.ctx); ok {
		return n, true
	}
	programs := s.programs(c.ctx)
	for limit := firstLimit; ; limit <<= 4 {
		if n, ok := runAny(c.ctx, programs, limit); ok {
			return n, true
		}
		if c.ctx.Err() != nil || !hasRoom(programs, limit) {
			return nil, false
		}
	}
}

// taskProduct is the product of the sums of tasks in their present local states.
type taskProduct struct {
	*roleCounter
	*productTree
	factor map[san.Task]int
	here   []RoleSets
}

func (c *roleCounter) newTaskProduct(tasks []san.Task) *taskProduct {
	p := &taskProduct{roleCounter: c, factor: make(map[san.Task]int, len(tasks))}
	var factors []sum
	for i, t := range tasks {
		p.factor[t], p.here = i, append(p.here, c.sets(t))
		factors = append(factors, c.roles.of(c.sets(t)))
	}
	p.productTree = newProductTree(c.roles.counts(), factors)
	return p
}

// update recomputes the factors of tasks whose local states changed.
func (p *taskProduct) update(tasks []san.Task) {
	for _, t := range tasks {
		p.play(t, p.sets(t))
	}
}

// leaveOut removes tasks from the product until they are updated.
func (p *taskProduct) leaveOut(tasks []san.Task) {
	for _, t := range tasks {
		p.play(t, noRole)
	}
}

func (p *taskProduct) play(t san.Task, sets RoleSets) {
	if i := p.factor[t]; p.here[i] != sets {
		p.here[i] = sets
		p.set(i, p.roles.of(sets))
	}
}
