package tlcheck

import (
	"container/heap"
	"errors"
	stdslices "slices"
	"sort"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// "No task t with p" is an intersection of one set for each task, and with k intervals in each of n
// sets the result may have k to the power of n. The first slice of such a node is found by climbing
// instead: from a slice in which some part has the wrong value to the nearest slices in which it
// has the right one. These are found part by part, without intersecting any two sets:
//
//	local predicate           where its next span begins
//	all of several            wherever one of them that is false leads to
//	one of several            wherever any of them leads to
//	temporal operator         slices.Ascend
//
// Every wanted slice above is at or above one of those. So the best slice that was met and not yet
// left is a lower bound, and the first one in which nothing is wrong is the first slice of all:
// this is a best-first search. Deciding a conjunction of unions is NP-hard (Mittal and Garg 2001,
// for unions of local predicates), so the search may take too long; but mostly there is only one
// way to go.

// maxClimb bounds the slices that one climb examines. Beyond it the search gives up climbing, and
// intersects the sets of the nodes.
const maxClimb = 1 << 15

// After nodes were asked shortClimb times where they lead, sets of up to fewIntervals are tried:
// with many tasks examining a slice takes long, and the sets may be small.
const (
	shortClimb   = 1 << 16
	fewIntervals = 1 << 10
)

// errSteep reports that climbing takes too long.
var errSteep = errors.New("there are too many ways up")

// climber finds the first, or the last, slice in which nodes are true for the tasks in env.
type climber struct {
	*evaluator
	env  []san.Task
	last bool

	// settle goes to the nearest slice that counts and in which the tracks' tasks are in their
	// spans; there is at most one.
	settle func(tracks []track, at slices.Ideal) (slices.Ideal, bool, error)

	spans        map[spanKey][]span
	sets         map[setKey]slices.Set // of temporal operators, without complement
	kept         int                   // number of intervals in sets
	lastWrong    map[int]int           // by quantifier: the last task with the wrong value
	examined     *int                  // slices, including those of nested climbs
	leadCalls    *int                  // number of calls of lead, counted likewise
	maxLeadCalls int                   // maximal number of such calls; 0 is no bound

	// For the current slice: the least slices to which a node leads (see lead). Quantifiers can be
	// nested without binding anything in each other. Without this cache the time would be
	// exponential in their depth.
	leadCache map[leadKey][]slices.Ideal
}

// leadKey is a node, the value that it should have, and the tasks on which it depends.
type leadKey struct {
	setKey
	value bool
}

// spanKey is a local node, or its negation, for a task.
type spanKey struct {
	node  int
	value bool
	task  san.Task
}

// setKey is a node and the tasks on which it depends.
type setKey struct {
	node int
	env  string
}

func (e *evaluator) upwards(env []san.Task) *climber {
	up := func(tracks []track, at slices.Ideal) (slices.Ideal, bool, error) {
		return least(e.budget, e.lat, tracks, at)
	}
	return &climber{evaluator: e, env: env, settle: up, spans: map[spanKey][]span{}, sets: map[setKey]slices.Set{},
		lastWrong: map[int]int{}, examined: new(int), leadCalls: new(int)}
}

// climber returns a climber for the wanted violation.
func (s *search) climber() *climber {
	c := s.upwards(s.env)
	c.last, c.settle = s.last, s.least
	if s.last {
		c.settle = func(tracks []track, at slices.Ideal) (slices.Ideal, bool, error) {
			return greatest(s.budget, s.lat, tracks, at)
		}
	}
	return c
}

// steepNodes returns, by number, the nodes for which climbing is better than computing sets: above
// their temporal operators there is an intersection over all tasks.
func steepNodes(f *formula.Formula) []bool {
	steep := make([]bool, len(f.Set.Nodes))
	for _, n := range f.Nodes { // each node follows its kids
		kid := stdslices.ContainsFunc(n.Kids, func(k *formula.Node) bool { return steep[k.Number] })
		switch n.Kind {
		case formula.Exists:
			steep[n.Number] = n.Complement && !isUniversal(n) && !reachesLocal(n.Kids[0]) || kid
		case formula.Sometime, formula.Eventually, formula.And, formula.If:
			steep[n.Number] = kid
		case formula.Or:
			steep[n.Number] = n.Guards == nil && kid
		}
	}
	return steep
}

// reachesLocal reports whether the node is true below some slice of a local node. For each task
// that is a down-set with one top, and subtracting all of them takes linear time (package slices).
func reachesLocal(n *formula.Node) bool {
	return (n.Kind == formula.Sometime || n.Kind == formula.Eventually) && !n.Complement && n.Kids[0].Local
}

func (e *evaluator) isSteep(n *formula.Node) bool { return e.steep[n.Number] }

// climbs reports whether to climb in the branch. If critical sections are reordered, only upward
// climbs are closed.
func (s *search) climbs(b *branch) bool {
	return stdslices.ContainsFunc(b.rest, s.isSteep) && (s.sections == nil || !s.last)
}

// climb searches a branch with its outer slots assigned, and then its inner ones. With unassigned
// slots it finds a bound for all their assignments. It gives up after most calls of lead.
func (s *search) climb(b *branch, tracks []track, most int) error {
	c := s.climber()
	c.maxLeadCalls = most
	return s.climbTasks(c, b, b.rest, tracks)
}

// climbTasks assigns the task variables of existential quantifiers like free ones, because the task
// must be the same along the whole climb.
func (s *search) climbTasks(c *climber, b *branch, items []*formula.Node, tracks []track) error {
	at := stdslices.IndexFunc(items,
		func(n *formula.Node) bool { return n.Kind == formula.Exists && !n.Complement && s.isSteep(n) })
	if at < 0 {
		return s.climbInner(c, b, b.inner, items, tracks)
	}
	n := items[at]
	outer := s.env[n.Slot]
	defer func() { s.env[n.Slot] = outer }()
	tasks := s.tasks
	if !stdslices.Contains(n.Kids[0].Free, n.Slot) {
		tasks = tasks[:min(1, len(tasks))]
	}
	for _, t := range tasks {
		s.env[n.Slot] = t
		part := branch{}
		if part.flatten(n.Kids); !stdslices.ContainsFunc(part.conds,
			func(d formula.Cond) bool { return !s.holds(d, s.env) }) {
			// Another quantifier of the same slot needs a task of its own.
			rest := stdslices.Concat(items[:at], items[at+1:], part.items)
			if err := s.climbTasks(c, b, rest, tracks); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *search) climbInner(c *climber, b *branch, slots []int, items []*formula.Node, tracks []track) error {
	*c.examined, *c.leadCalls = 0, 0
	slice, ok, err := c.first(items, tracks, s.better)
	if !ok || err != nil {
		return err
	}
	if len(slots) == 0 {
		s.offer(slice)
		return nil
	}
	return s.each(b, slots[0], func(t san.Task) error {
		if w := b.tracks[slots[0]]; w != nil {
			return s.climbInner(c, b, slots[1:], items, withTrack(tracks, t, w.spans[t]))
		}
		return s.climbInner(c, b, slots[1:], items, tracks)
	})
}

// heights is a heap of slices, the first wanted one on top.
type heights struct {
	slices []slices.Ideal
	last   bool
}

func (h *heights) Len() int      { return len(h.slices) }
func (h *heights) Swap(i, j int) { h.slices[i], h.slices[j] = h.slices[j], h.slices[i] }
func (h *heights) Push(x any)    { h.slices = append(h.slices, x.(slices.Ideal)) }

func (h *heights) Less(i, j int) bool {
	a, b := h.slices[i], h.slices[j]
	if m, n := a.Size(), b.Size(); m != n {
		return (m < n) != h.last
	}
	return a.Before(b)
}

func (h *heights) Pop() any {
	top := h.slices[len(h.slices)-1]
	h.slices = h.slices[:len(h.slices)-1]
	return top
}

// first returns the slice with the fewest actions (the most, if the last one is wanted) in which
// all nodes are true and the tracks' tasks are in their spans; of several the one with the first
// index vector. It returns false if no such slice has a size that will accepts.
func (c *climber) first(
	nodes []*formula.Node, tracks []track, accepts func(size int) bool,
) (slices.Ideal, bool, error) {
	start := c.lat.Bottom()
	if c.last {
		start = c.lat.Top()
	}
	return c.firstFrom([]slices.Ideal{start}, c.leadAll(nodes), tracks, accepts)
}

// leadAll returns a function that leads to where all nodes are true.
func (c *climber) leadAll(nodes []*formula.Node) func(at slices.Ideal) ([]slices.Ideal, error) {
	return func(at slices.Ideal) ([]slices.Ideal, error) {
		return c.leadToAll(len(nodes), func(i int) ([]slices.Ideal, error) { return c.lead(nodes[i], true, at) }, at)
	}
}

// firstFrom is first for slices at or beyond those of from, and for the goals of lead.
func (c *climber) firstFrom(
	from []slices.Ideal, lead func(at slices.Ideal) ([]slices.Ideal, error), tracks []track,
	accepts func(size int) bool,
) (slices.Ideal, bool, error) {
	open := &heights{last: c.last}
	push := func(at slices.Ideal) error {
		at, ok, err := c.settle(tracks, at)
		if ok && accepts(at.Size()) {
			heap.Push(open, at)
		}
		return err
	}
	for _, at := range from {
		if err := push(at); err != nil {
			return at, false, err
		}
	}
	var before slices.Ideal
	for first := true; open.Len() > 0; first = false {
		at := heap.Pop(open).(slices.Ideal)
		if !first && at.Equal(before) {
			continue
		}
		before = at
		if *c.examined++; *c.examined > maxClimb || c.maxLeadCalls > 0 && *c.leadCalls > c.maxLeadCalls {
			return at, false, errSteep
		}
		c.leadCache = map[leadKey][]slices.Ideal{}
		if err := c.budget.Err(); err != nil {
			return at, false, err
		}
		ways, err := lead(at)
		if err != nil {
			return at, false, err
		}
		if len(ways) == 1 && ways[0].Equal(at) {
			return at, true, nil
		}
		for _, w := range ways {
			if err := push(w); err != nil {
				return at, false, err
			}
		}
	}
	return slices.Ideal{}, false, nil
}

// lead returns at alone if the node has the wanted value there. Else it returns slices beyond at,
// such that every slice beyond at in which the node has the value is at or beyond one of them.
func (c *climber) lead(n *formula.Node, value bool, at slices.Ideal) ([]slices.Ideal, error) {
	if *c.leadCalls++; *c.leadCalls%statesPerPoll == 0 {
		if err := c.budget.Err(); err != nil { // with thousands of tasks one slice can take minutes
			return nil, err
		}
	}
	value = value != n.Complement
	kid := func(i int) ([]slices.Ideal, error) { return c.lead(n.Kids[i], value, at) }
	switch {
	case n.Local:
		return c.leadLocal(n, value, at), nil
	case n.Kind == formula.And && value, n.Kind == formula.Or && !value && n.Guards == nil:
		return c.leadToAll(len(n.Kids), kid, at)
	case n.Kind == formula.And, n.Kind == formula.Or && n.Guards == nil:
		return c.leadToAny(len(n.Kids), kid, at)
	case n.Kind == formula.If:
		if stdslices.ContainsFunc(n.Conds, func(d formula.Cond) bool { return !c.holds(d, c.env) }) {
			if value {
				return nil, nil
			}
			return []slices.Ideal{at}, nil
		}
		return kid(0)
	case n.Kind == formula.Exists:
		return c.cachedLead(n, value, func() ([]slices.Ideal, error) { return c.leadQuantifier(n, value, at) })
	case value && !c.last && c.reachesSteep(n):
		return c.cachedLead(n, value, func() ([]slices.Ideal, error) {
			if ok, err := c.reaches(n, at); !ok || err != nil {
				return nil, err // nor is it reached from further up
			}
			return []slices.Ideal{at}, nil
		})
	}
	s, err := c.set(n)
	if err != nil {
		return nil, err
	}
	if c.last {
		return s.Descend(at, value), nil
	}
	return s.Ascend(at, value), nil
}

// cachedLead caches where a node leads from the current slice.
func (c *climber) cachedLead(n *formula.Node, value bool, find func() ([]slices.Ideal, error)) ([]slices.Ideal, error) {
	key := leadKey{setKey{n.Number, keyOf(n.Free, c.env)}, value}
	if ways, ok := c.leadCache[key]; ok {
		return ways, nil
	}
	ways, err := find()
	c.leadCache[key] = ways
	return ways, err
}

// leadQuantifier is lead for a quantifier without its complement.
func (c *climber) leadQuantifier(n *formula.Node, value bool, at slices.Ideal) ([]slices.Ideal, error) {
	outer := c.env[n.Slot]
	defer func() { c.env[n.Slot] = outer }()
	first := c.lastWrong[n.Number]
	of := func(i int) ([]slices.Ideal, error) {
		i = (first + i) % len(c.tasks)
		c.env[n.Slot] = c.tasks[i]
		ways, err := c.lead(n.Kids[0], value, at)
		if len(ways) != 1 || !ways[0].Equal(at) {
			c.lastWrong[n.Number] = i
		}
		return ways, err
	}
	if value {
		return c.leadToAny(len(c.tasks), of, at)
	}
	return c.leadToAll(len(c.tasks), of, at)
}

// leadToAll leads to where all of n parts have the wanted value: it follows the false part with the
// fewest ways.
func (c *climber) leadToAll(n int, lead func(int) ([]slices.Ideal, error), at slices.Ideal) ([]slices.Ideal, error) {
	fewest := []slices.Ideal{at}
	far := false
	for i := range n {
		ways, err := lead(i)
		if err != nil {
			return nil, err
		}
		if len(ways) == 1 && ways[0].Equal(at) {
			continue
		}
		if !far || len(ways) < len(fewest) {
			far, fewest = true, ways
		}
		if len(ways) < 2 {
			break
		}
	}
	return fewest, nil
}

// leadToAny leads to where one of n parts has the wanted value.
func (c *climber) leadToAny(n int, lead func(int) ([]slices.Ideal, error), at slices.Ideal) ([]slices.Ideal, error) {
	var all []slices.Ideal
	for i := range n {
		ways, err := lead(i)
		if err != nil || len(ways) == 1 && ways[0].Equal(at) {
			return ways, err
		}
		all = append(all, ways...)
	}
	return all, nil
}

// leadLocal leads to where a local node has the value.
func (c *climber) leadLocal(n *formula.Node, value bool, at slices.Ideal) []slices.Ideal {
	task := c.env[n.Free[0]]
	key := spanKey{n.Number, value, task}
	spans, ok := c.spans[key]
	if !ok {
		spans = c.evaluator.spans(n, task)
		if !value {
			spans = complementSpans(c.net, task, spans)
		}
		c.spans[key] = spans
	}
	state := stateIn(c.lat, at, task)
	i := sort.Search(len(spans), func(i int) bool { return spans[i].to >= state })
	switch {
	case i < len(spans) && spans[i].from <= state:
		return []slices.Ideal{at}
	case !c.last && i < len(spans):
		e, _ := entry(c.net, task, spans[i].from) // it exists, because another state is before it
		return []slices.Ideal{c.lat.Fire(at, e)}
	case c.last && i > 0:
		e, _ := exit(c.net, task, spans[i-1].to)
		return []slices.Ideal{at.Meet(c.lat.NotAbove(e))}
	}
	return nil
}

// set returns the set of a temporal operator, without its complement.
func (c *climber) set(n *formula.Node) (slices.Set, error) {
	key := setKey{n.Number, keyOf(n.Free, c.env)}
	if s, ok := c.sets[key]; ok {
		return s, nil
	}
	s, err := c.setBeforeComplement(n, c.env, c.evaluator.all)
	if err != nil {
		return s, err
	}
	c.sets[key] = s
	c.kept += 1 + len(s.Intervals())
	return s, c.budget.Allow(c.intervals + c.kept)
}

// reachesSteep reports whether the node asks for a later slice of a set for which climbing is
// better than computing.
func (e *evaluator) reachesSteep(n *formula.Node) bool {
	return (n.Kind == formula.Sometime || n.Kind == formula.Eventually) && e.isSteep(n.Kids[0])
}

// reaches reports whether the slice is in the set of such a node without its complement.
func (c *climber) reaches(n *formula.Node, at slices.Ideal) (bool, error) {
	_, ok, err := c.firstReached(n, at)
	return ok, err
}

// firstReached returns the slice with the fewest actions of the kid's set that is reached from the
// given one: the reason why reaches is true.
func (c *climber) firstReached(n *formula.Node, at slices.Ideal) (slices.Ideal, bool, error) {
	from := []slices.Ideal{at}
	if n.Kind == formula.Sometime {
		from = nil
		for _, a := range c.lat.Enabled(at) {
			from = append(from, c.lat.Fire(at, a))
		}
	}
	further := *c // the cache of the current slice stays
	return further.firstFrom(from, further.leadAll(n.Kids), nil, func(int) bool { return true })
}
