package san

// Meet computes what several actions know in common. It keeps its buffers between calls.
//
// The clocks of communicating tasks share most of their nodes, and each node is visited once. So
// the time is proportional to the parts in which the actions' knowledge differs.
type Meet struct {
	// by node number divided by the minimal size of a node: the call in which the node was visited
	// last
	visited []uint32
	call    uint32
	dst     []int32
}

// Of stores the intersection of ↓a over all the actions into dst, which has one element for each
// task of the net. It needs at least one action.
func (m *Meet) Of(n *Net, actions []Action, dst []int32) {
	if m.call++; m.call == 0 || len(m.visited) <= int(n.clocks.size/header) {
		nodes := n.clocks.size/header + 1
		m.visited, m.call = make([]uint32, nodes+nodes/2), 1
	}
	m.dst = dst
	n.Down(actions[0], dst)
	for _, a := range actions[1:] {
		root := n.record(a).clock
		span := 0 // how many tasks the tree can have
		if root != 0 {
			h := n.clocks.height(root)
			m.node(&n.clocks, h-1, uint32(root), 0, a)
			span = 1 << shift(h)
		}
		m.unknownRange(span, len(dst), a)
	}
}

// unknownRange handles a range of tasks of which an action knows nothing, except its own task.
func (m *Meet) unknownRange(from, to int, own Action) {
	if from >= min(to, len(m.dst)) {
		return
	}
	part := m.dst[from:min(to, len(m.dst))]
	i := int(own.Task) - from
	if i < 0 || i >= len(part) {
		clear(part)
		return
	}
	k := part[i]
	clear(part)
	part[i] = min(k, own.K)
}

// node handles the tasks below a node. A node has the same place in all trees.
func (m *Meet) node(c *clocks, level int, n uint32, base int, own Action) {
	end := base + 1<<shift(level+1)
	if n == 0 {
		m.unknownRange(base, end, own)
		return
	}
	if int(own.Task) < base || int(own.Task) >= end {
		if m.visited[n/header] == m.call {
			return
		}
		m.visited[n/header] = m.call
	}
	if level > 0 {
		for i, x := range c.slots(n) {
			if at := base + i<<shift(level); at < len(m.dst) {
				m.node(c, level-1, x, at, own)
			}
		}
		return
	}
	l := c.leaf(c.words(n))
	var x [blockSize]uint32
	for block := range blocks {
		l.next(block, &x)
		at := base + block*blockSize
		for i := range min(blockSize, len(m.dst)-at) {
			known := int32(x[i])
			if at+i == int(own.Task) {
				known = own.K // the clock may lag behind for the own task
			}
			m.dst[at+i] = min(m.dst[at+i], known)
		}
	}
}
