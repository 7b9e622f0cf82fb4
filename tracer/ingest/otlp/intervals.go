package otlp

import (
	"cmp"
	"slices"
	"sort"
)

// The order "one span ends before another begins", by a clock, is an interval order. The net gets
// its transitive reduction. With the spans sorted by their ends, those that end before s begins are
// the first ones. Of these the ones count that end after the last of them began; the others end
// before that one begins. If many spans overlap even this is quadratic: n spans and then n others
// need n*n references. Then a helper task is cheaper: each of its events waits for the ends since
// its previous event, and precedes the next starts. It adds no order between spans, since ends
// before a time come before all starts at that time or later.

// maxPairs is the number of references for each span from which on a helper is used.
const maxPairs = 4

// window is the ends before a span: ended[from:to] of intervals.
type window struct{ from, to int }

// intervals orders each of the spans in starts, which are sorted by their start, after those of
// ended that end more than gap before it begins. All of ended are in starts. It returns how many of
// the spans come after others.
func (b *builder) intervals(ended, starts []int32, gap uint64, helper string) (ordered int) {
	slices.SortFunc(ended, func(i, j int32) int {
		return cmp.Or(cmp.Compare(b.spans[i].finish(), b.spans[j].finish()), cmp.Compare(i, j))
	})
	windows, pairs := b.windows(ended, starts, gap)
	for _, w := range windows {
		if w.to > 0 {
			ordered++
		}
	}
	if pairs > b.pairs*len(starts) {
		b.addHelper(ended, starts, windows, helper)
		return ordered
	}
	for n, w := range windows {
		for _, e := range ended[w.from:w.to] {
			b.precede(b.end(e), b.start(starts[n]))
		}
	}
	return ordered
}

// windows returns for each start which ends count, and their total number.
func (b *builder) windows(ended, starts []int32, gap uint64) (windows []window, pairs int) {
	last := make([]uint64, len(ended)) // the latest start up to this one
	for i, e := range ended {
		last[i] = b.spans[e].Start
		if i > 0 {
			last[i] = max(last[i], last[i-1])
		}
	}
	before := func(start uint64) int { // how many ended more than gap before that
		return sort.Search(len(ended), func(i int) bool {
			end := b.spans[ended[i]].finish()
			return end >= start || start-end <= gap
		})
	}
	windows = make([]window, len(starts))
	for n, s := range starts {
		w := window{to: before(b.spans[s].Start)}
		if w.to > 0 {
			w.from = before(last[w.to-1])
		}
		windows[n] = w
		pairs += w.to - w.from
	}
	return windows, pairs
}

// addHelper adds a helper that orders the ends and the starts.
func (b *builder) addHelper(ended, starts []int32, windows []window, name string) {
	helper := int32(len(b.tasks))
	t := task{name: name, first: int32(len(b.nodes)), creator: none}
	waited := 0
	for n, s := range starts {
		if to := windows[n].to; to > waited {
			w := b.add(node{helper, waits, 0, b.spans[s].Start})
			for _, e := range ended[waited:to] {
				b.precede(b.end(e), w)
			}
			waited = to
		}
		if waited > 0 {
			b.precede(int32(len(b.nodes)-1), b.start(s))
		}
	}
	t.last = int32(len(b.nodes) - 1)
	b.tasks = append(b.tasks, t)
}
