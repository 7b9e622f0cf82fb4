package otlp

import "sort"

// order adds the order of the spans' events beside that of parents.
func (b *builder) order() {
	b.links()
	if b.options.Sync {
		b.sync()
	}
	if b.options.Skew != nil {
		b.skew()
	}
}

// links orders spans after the starts of those that they link to.
func (b *builder) links() {
	for i, s := range b.spans {
		for _, l := range s.Links {
			linked, ok := b.byID[l.Span]
			switch {
			case l.Trace != b.trace:
				b.notes.Outside++
			case !ok:
				b.notes.Lost++
			default:
				b.precede(b.start(linked), b.start(int32(i)))
			}
		}
	}
}

// sync orders parents' ends and later actions after their children.
func (b *builder) sync() {
	children := make([][]int32, len(b.spans))
	for i, p := range b.parents {
		if p != none {
			children[p] = append(children[p], int32(i))
		}
	}
	for p, cs := range children {
		b.wait(int32(p), cs)
	}
}

// wait orders the later actions of a parent after its children's ends.
func (b *builder) wait(p int32, children []int32) {
	var ended, local []int32 // children with the parent's clock
	for _, c := range children {
		same := b.sameProcess(p, c)
		if same {
			local = append(local, c)
		}
		if !b.waitedFor(p, c, same) {
			continue
		}
		if same {
			ended = append(ended, c)
		}
		if next := b.next(p, c, same); next != none {
			b.precede(b.end(c), next)
		}
	}
	b.notes.Clocked += b.intervals(ended, local, 0, b.tasks[p].name+" returns")
}

// sameProcess reports whether two spans have one clock.
func (b *builder) sameProcess(i, j int32) bool {
	s, t := b.spans[i].Source, b.spans[j].Source
	return s.process != "" && s.process == t.process
}

// waitedFor reports whether a parent waits for that child.
func (b *builder) waitedFor(p, c int32, same bool) bool {
	parent, child := b.spans[p], b.spans[c]
	switch {
	case child.End == 0, child.Kind == Producer, child.Kind == Consumer:
		return false
	case same && parent.End != 0 && child.finish() > parent.finish():
		b.notes.Outlived++
		return false
	}
	return true
}

// next returns the first node of a parent that comes after a child's end, none if there is none
// yet. Only one clock shows which of the parent's events do.
func (b *builder) next(p, c int32, same bool) int32 {
	t := b.tasks[p]
	n := len(b.spans[p].Moments)
	if same {
		moments := b.nodes[t.steps:][:n]
		n = sort.Search(n, func(i int) bool { return moments[i].time > b.spans[c].finish() })
	}
	if next := t.steps + int32(n); next <= t.last { // after the moments it exits, if it has ended
		return next
	}
	return none
}

// skew orders spans after those that ended so long before that no difference between clocks
// explains it.
func (b *builder) skew() {
	all := make([]int32, len(b.spans))
	var ended []int32
	for i, s := range b.spans {
		all[i] = int32(i)
		if s.End != 0 {
			ended = append(ended, int32(i))
		}
	}
	b.intervals(ended, all, uint64(max(*b.options.Skew, 0)), "clock")
}

// finish is the end of a span that has ended. A span that ends before it begins ends when it
// begins.
func (s *Span) finish() uint64 { return max(s.Start, s.End) }
