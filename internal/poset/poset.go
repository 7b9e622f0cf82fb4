package poset

import (
	"context"
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
)

// Poset is the partial order of the actions of a net. Elements are numbered in an order that
// extends it: a comes before b only if a < b. It is immutable.
type Poset struct {
	net    *san.Net
	action []san.Action // by element: its canonical name
	first  []int32      // by task: index of its first event in event
	event  []int32      // by event: its element

	// The direct predecessors of element e are preds[from[e]:from[e+1]], including those on its
	// tasks. The index in preds names an edge. Successors are stored likewise.
	preds, from   []int32
	succs, succAt []int32
	succEdge      []int32 // by index in succs: the edge
}

// New returns the order of the net's actions.
func New(net *san.Net) *Poset {
	p, _ := Within(context.Background(), net)
	return p
}

// Within is New, but returns the cause if ctx ends.
func Within(ctx context.Context, net *san.Net) (*Poset, error) {
	p := &Poset{net: net, first: make([]int32, net.Tasks()+1), event: make([]int32, net.Events())}
	for t := range net.Tasks() {
		p.first[t+1] = p.first[t] + int32(net.Len(san.Task(t)))
	}
	for a := range net.Order() {
		if len(p.action)&0xfff == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for _, side := range p.net.Sides(a) {
			p.event[p.first[side.Task]+side.K-1] = int32(len(p.action))
		}
		p.action = append(p.action, a)
	}
	p.from = append(p.from, 0)
	for e := range p.action {
		if e&0xfff == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		p.preds = p.appendPreds(p.preds, e)
		p.from = append(p.from, int32(len(p.preds)))
	}
	p.turn()
	return p, nil
}

// Len returns the number of elements.
func (p *Poset) Len() int { return len(p.action) }

func (p *Poset) element(a san.Action) int32 { return p.event[p.first[a.Task]+a.K-1] }

// reducible limits the predecessors among which redundant ones are removed: the search is
// quadratic, and redundant ones only cost time.
const reducible = 64

// appendPreds appends the direct predecessors of an element, those on its own tasks first.
func (p *Poset) appendPreds(preds []int32, e int) []int32 {
	start := len(preds)
	add := func(a san.Action) {
		if x := p.element(a); !stdslices.Contains(preds[start:min(len(preds), start+reducible)], x) {
			preds = append(preds, x)
		}
	}
	sides := p.net.Sides(p.action[e])
	for _, s := range sides {
		if s.K > 1 {
			add(san.Action{Task: s.Task, K: s.K - 1})
		}
	}
	own := len(preds)
	for _, s := range sides {
		if a, ok := p.net.SpawnedBy(s.Task); ok && s.K == 1 {
			add(a)
		}
		for _, a := range p.net.Causes(s) {
			add(a)
		}
	}
	all := preds[start:]
	if len(all) > reducible {
		return preds
	}
	followsFromOther := func(x int32) bool {
		return stdslices.ContainsFunc(all, func(y int32) bool { return p.precedes(x, y) })
	}
	kept := preds[:own]
	for _, x := range stdslices.Clone(preds[own:]) {
		if !followsFromOther(x) {
			kept = append(kept, x)
		}
	}
	return kept
}

// turn computes successors from predecessors.
func (p *Poset) turn() {
	n := p.Len()
	p.succAt = make([]int32, n+1)
	for _, x := range p.preds {
		p.succAt[x+1]++
	}
	for e := range n {
		p.succAt[e+1] += p.succAt[e]
	}
	p.succs = make([]int32, len(p.preds))
	p.succEdge = make([]int32, len(p.preds))
	next := stdslices.Clone(p.succAt[:n])
	for e := range int32(n) {
		for edge := p.from[e]; edge < p.from[e+1]; edge++ {
			x := p.preds[edge]
			p.succs[next[x]], p.succEdge[next[x]] = e, edge
			next[x]++
		}
	}
}

// predsOf returns the direct predecessors.
func (p *Poset) predsOf(e int32) []int32 { return p.preds[p.from[e]:p.from[e+1]] }

// precedes reports whether a < b in the partial order.
func (p *Poset) precedes(a, b int32) bool {
	return a < b && p.net.Known(p.action[b], p.action[a].Task) >= int(p.action[a].K)
}

// Height returns the number of actions in the longest chain.
func (p *Poset) Height() int {
	height, _ := p.levels()
	return height
}

// levels returns the height and the size of the largest level. The level of an element is the
// length of the longest chain that ends in it. A level is an antichain.
func (p *Poset) levels() (height, largest int) {
	var sizes []int
	for _, l := range p.depths() {
		for len(sizes) < int(l) {
			sizes = append(sizes, 0)
		}
		sizes[l-1]++
	}
	for _, s := range sizes {
		largest = max(largest, s)
	}
	return len(sizes), largest
}

// depths returns the level of each element, from 1.
func (p *Poset) depths() []int32 {
	depth := make([]int32, p.Len())
	for e := range depth {
		for _, x := range p.predsOf(int32(e)) {
			depth[e] = max(depth[e], depth[x])
		}
		depth[e]++
	}
	return depth
}
