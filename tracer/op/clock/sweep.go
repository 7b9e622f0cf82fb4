package clock

// Sweep drops from clocks what they say of tasks about which nothing will ask: a clock then says 0
// of them. It changes the parts of tries, so it reaches all clocks that share one.
//
//	s := clock.NewSweep(tasks)
//	s.Keep(7) // each task that something may ask about
//	s.Clock(c)
type Sweep struct {
	kept []uint64 // blocks of tasks, as bits

	// parts that were looked at, and whether nothing is left of them
	twigs    map[*twig]bool
	branches map[*branch]bool
	boughs   map[*bough]bool
}

// Tasks are dropped in blocks. Four blocks are a twig.
const blockShift = 6

// NewSweep returns a sweep of clocks of that many tasks that keeps none of them.
func NewSweep(tasks int32) *Sweep {
	return &Sweep{
		kept:  make([]uint64, tasks>>(blockShift+6)+1),
		twigs: map[*twig]bool{}, branches: map[*branch]bool{}, boughs: map[*bough]bool{},
	}
}

// Keep keeps a task, and those of its block.
func (s *Sweep) Keep(task int32) {
	if block := task >> blockShift; task >= 0 && int(block>>6) < len(s.kept) {
		s.kept[block>>6] |= 1 << (block & 63)
	}
}

// IsGone reports whether a task is dropped. Those that have come later are not.
func (s *Sweep) IsGone(task int32) bool {
	block := task >> blockShift
	return task >= 0 && int(block>>6) < len(s.kept) && s.kept[block>>6]>>(block&63)&1 == 0
}

// Clock drops tasks from a clock, which may be nil.
func (s *Sweep) Clock(c *Clock) {
	if c == nil {
		return
	}
	if c.first != nil && s.twig(c.first, 0) {
		c.first = nil
	}
	for i, b := range c.boughs {
		if b != nil && s.bough(b, int32(i)<<boughShift) {
			c.boughs[i] = nil
		}
	}
}

// The rest drops tasks from a part whose first task is at, and reports whether nothing is left.

func (s *Sweep) bough(b *bough, at int32) bool {
	return sweepParts(s.boughs, b, func(i int, r *branch) bool { return s.branch(r, at+int32(i)<<branchShift) })
}

func (s *Sweep) branch(r *branch, at int32) bool {
	return sweepParts(s.branches, r, func(i int, t *twig) bool { return s.twig(t, at+int32(i)<<twigShift) })
}

func (s *Sweep) twig(t *twig, at int32) bool {
	return sweepParts(s.twigs, t, func(i int, _ *leaf) bool { return s.IsGone(at + int32(i)<<leafShift) })
}

func sweepParts[P any](seen map[*[16]*P]bool, part *[16]*P, isEmpty func(i int, p *P) bool) bool {
	if empty, ok := seen[part]; ok {
		return empty
	}
	empty := true
	for i, p := range part {
		switch {
		case p == nil:
		case isEmpty(i, p):
			part[i] = nil
		default:
			empty = false
		}
	}
	seen[part] = empty
	return empty
}
