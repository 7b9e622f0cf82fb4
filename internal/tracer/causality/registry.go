package causality

import (
	"maps"
	"slices"
)

// registry finds goroutines by their context number. Numbers are given out in sequence, so nearly
// all are in the dense part, which needs only a pointer for a page of goroutines that have all
// ended.
type registry struct {
	pages  []*goroutinePage
	sparse map[uint64]*goroutine
	spare  *goroutinePage // an empty one
	added  uint64
}

const pageSize = 256

type goroutinePage struct {
	goroutines [pageSize]*goroutine
	n          int // not nil
}

func (r *registry) get(ctx uint64) *goroutine {
	if i := ctx / pageSize; i < uint64(len(r.pages)) {
		if p := r.pages[i]; p != nil {
			return p.goroutines[ctx%pageSize]
		}
		return nil
	}
	return r.sparse[ctx]
}

func (r *registry) add(ctx uint64, g *goroutine) {
	r.added++
	// Memory stays in proportion to records, since a scribbled record may hold any number.
	if ctx >= 64*r.added+1024 {
		if r.sparse == nil {
			r.sparse = map[uint64]*goroutine{}
		}
		r.sparse[ctx] = g
		return
	}
	for uint64(len(r.pages)) <= ctx/pageSize {
		r.pages = append(r.pages, nil)
		r.adopt(uint64(len(r.pages)-1) * pageSize)
	}
	r.set(ctx, g)
}

// adopt moves the goroutines of a new page from the sparse part.
func (r *registry) adopt(first uint64) {
	if len(r.sparse) == 0 {
		return
	}
	for ctx := first; ctx < first+pageSize; ctx++ {
		if g := r.sparse[ctx]; g != nil {
			r.set(ctx, g)
			delete(r.sparse, ctx)
		}
	}
}

// set stores g, which may be nil, in the dense part.
func (r *registry) set(ctx uint64, g *goroutine) {
	at := &r.pages[ctx/pageSize]
	if *at == nil {
		*at, r.spare = r.spare, nil
	}
	if *at == nil {
		*at = new(goroutinePage)
	}
	p := *at
	slot := &p.goroutines[ctx%pageSize]
	if *slot != nil {
		p.n--
	}
	if g != nil {
		p.n++
	}
	*slot = g
	if p.n == 0 {
		*at, r.spare = nil, p
	}
}

// each calls f for every goroutine that has not ended.
func (r *registry) each(f func(*goroutine)) {
	for _, p := range r.pages {
		if p == nil {
			continue
		}
		for _, g := range p.goroutines {
			if g != nil {
				f(g)
			}
		}
	}
	for _, ctx := range slices.Sorted(maps.Keys(r.sparse)) { // the trace must be deterministic
		f(r.sparse[ctx])
	}
}

// find returns the number of a goroutine that has not ended, 0 if there is no such one.
func (r *registry) find(is func(*goroutine) bool) uint64 {
	for i, p := range r.pages {
		if p == nil {
			continue
		}
		for j, g := range p.goroutines {
			if g != nil && is(g) {
				return uint64(i*pageSize + j)
			}
		}
	}
	return 0 // those in the sparse part have scribbled numbers
}

func (r *registry) remove(ctx uint64) {
	if ctx/pageSize < uint64(len(r.pages)) {
		r.set(ctx, nil)
		return
	}
	delete(r.sparse, ctx)
}
