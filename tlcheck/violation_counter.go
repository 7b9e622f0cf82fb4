package tlcheck

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"math/big"
	stdslices "slices"

	"github.com/antichain-go/antichain/internal/poset"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// violationCounter iterates over all TIVAs, unless byRoles or groupsByRoles makes that unnecessary.
// For each it finds disjoint intervals in which the property is false, cuts them where the places
// change, and counts.
type violationCounter struct {
	*check
	counting context.Context // for exact numbers of slices; after its end bounds suffice
	poset    *poset.Poset    // computed when there is something to count
	counter  *poset.Counter  // likewise
	number   Number

	places *placeTable // nil if violations are not grouped
	groups map[string]*group
	alike  [][]int // classes of exchangeable TIVs, whose permutations are in one group
}

// group is a Group under construction.
type group struct {
	places []int // numbers of the places in the first violation
	number Number
	first  *violation
}

func newViolationCounter(counting context.Context, c *check) *violationCounter {
	return &violationCounter{check: c, counting: counting, number: Number{new(big.Int), new(big.Int)}}
}

// enableGrouping enables grouping by places.
func (t *violationCounter) enableGrouping() (err error) {
	t.places, t.groups = newPlaceTable(t.search.net), map[string]*group{}
	t.alike, err = exchangeableTIVs(t.search.budget, t.search.formula)
	return err
}

func (t *violationCounter) run() error {
	branches, err := t.prepare()
	if err != nil {
		return err
	}
	t.search.branches = branches[:1] // the coverage is the same for all branches
	if t.groups != nil {
		if t.groupsByRoles(branches) {
			return nil
		}
	} else if n, ok := t.byRoles(branches); ok {
		t.number = Number{n, n}
		return nil
	}
	return t.assign(0, branches, 1)
}

// prepare returns the branches, with their requirements on each task.
func (t *violationCounter) prepare() ([]*branch, error) {
	s := &t.search
	s.start()
	s.tasks = nil // each task counts, including those that others could represent
	for task := range san.Task(s.net.Tasks()) {
		s.tasks = append(s.tasks, task)
	}
	for _, b := range s.branches {
		if err := b.prepare(s.evaluator); err != nil {
			return nil, err
		}
	}
	return s.branches, nil
}

// assign tries every task for a TIV and those after it; live has the branches that can still be
// true.
func (t *violationCounter) assign(tiv int, live []*branch, share float64) error {
	s := &t.search
	if tiv == len(s.formula.Free) {
		err := t.addTIVA(live)
		if err == nil {
			s.covered += share
		}
		return err
	}
	share /= float64(len(s.tasks))
	decided := s.covered
	slot := s.formula.Free[tiv]
	s.assigned[slot] = true
	defer func() { s.assigned[slot] = false }()
	for _, task := range s.tasks {
		if err := s.stopped(); err != nil {
			return err
		}
		s.env[slot] = task
		var left []*branch
		for _, b := range live {
			if w := b.tracks[slot]; (w == nil || len(w.spans[task]) > 0) && s.condsHold(b, slot) {
				left = append(left, b)
			}
		}
		if len(left) > 0 {
			if err := t.assign(tiv+1, left, share); err != nil {
				return err
			}
		}
		decided += share
		s.covered = decided
	}
	return nil
}

func (t *violationCounter) addTIVA(live []*branch) error {
	s := &t.search
	if s.initially {
		in, err := s.contains(s.formula.Violated, s.env, s.lat.Bottom())
		if err != nil || !in {
			return err
		}
		return t.countViolated(slices.Interval{})
	}
	var all []slices.Interval
	parts := 0
	for _, b := range live {
		before := len(all)
		var err error
		if all, err = t.pieces(b, all); err != nil {
			return err
		}
		if len(all) > before {
			parts++
		}
	}
	if parts > 1 {
		set := s.lat.Set(all...)
		var err error
		if all, err = set.DisjointIntervals(s.budget); err != nil {
			return err
		}
		if err := s.check(set); err != nil {
			return err
		}
	}
	for _, iv := range all {
		if err := t.countViolated(iv); err != nil {
			return err
		}
	}
	return nil
}

// pieces appends disjoint intervals in which the branch is true.
func (t *violationCounter) pieces(b *branch, pieces []slices.Interval) ([]slices.Interval, error) {
	s := &t.search
	tracks := b.base
	for _, slot := range stdslices.Sorted(maps.Keys(b.tracks)) {
		tracks = withTrack(tracks, s.env[slot], b.tracks[slot].spans[s.env[slot]])
	}
	if stdslices.ContainsFunc(tracks, track.empty) {
		return pieces, nil
	}
	if _, ok, err := least(s.budget, s.lat, tracks, s.lat.Bottom()); !ok {
		return pieces, err
	}
	regions := s.all.Intervals()
	if len(b.rest) > 0 {
		set, err := s.and(s.restWithCore(b), s.env)
		if err != nil {
			return pieces, err
		}
		if regions, err = set.DisjointIntervals(s.budget); err != nil {
			return pieces, err
		}
		if err := s.check(set); err != nil {
			return pieces, err
		}
	}
	var err error
	for _, iv := range regions {
		if pieces, err = t.appendWithin(iv, tracks, pieces); err != nil {
			return pieces, err
		}
	}
	return pieces, nil
}

// appendWithin appends the interval's slices in which the tracks' tasks are in their spans.
func (t *violationCounter) appendWithin(
	iv slices.Interval, tracks []track, pieces []slices.Interval,
) ([]slices.Interval, error) {
	s := &t.search
	if len(tracks) == 0 {
		pieces = append(pieces, iv)
		return pieces, s.budget.Allow(len(pieces))
	}
	if err := s.stopped(); err != nil { // there may be thousands of tracks before the first piece
		return nil, err
	}
	var err error
	for _, sp := range tracks[0].spans {
		for _, x := range t.cutBySpan(iv, tracks[0].task, sp) {
			if pieces, err = t.appendWithin(x, tracks[1:], pieces); err != nil {
				return pieces, err
			}
		}
	}
	return pieces, nil
}

// cutBySpan returns the slices of the interval in which the task is in a state of the span.
func (t *violationCounter) cutBySpan(iv slices.Interval, task san.Task, sp span) []slices.Interval {
	s := &t.search
	if sp.to < stateIn(s.lat, iv.Lo, task) || sp.from > stateIn(s.lat, iv.Hi, task) {
		return nil
	}
	var parts []slices.Interval
	for _, x := range s.intervals(track{task, []span{sp}}) {
		if x, ok := iv.Meet(x); ok {
			parts = append(parts, x)
		}
	}
	return parts
}

// countViolated counts the slices of an interval in which the property is false.
func (t *violationCounter) countViolated(iv slices.Interval) error {
	if t.groups == nil {
		n, err := t.slices(iv)
		if err == nil {
			t.number.add(n)
		}
		return err
	}
	return t.splitByPlaces(iv, nil)
}

// splitByPlaces assigns the slices of the interval to groups; places has those of the first TIVs'
// tasks.
func (t *violationCounter) splitByPlaces(iv slices.Interval, places []int) error {
	s := &t.search
	if len(places) == len(s.formula.Free) {
		return t.add(iv, places)
	}
	task := s.env[s.formula.Free[len(places)]]
	for _, r := range t.places.rowsOf(task) {
		for _, x := range t.cutBySpan(iv, task, r.span) {
			if err := t.splitByPlaces(x, append(places[:len(places):len(places)], r.place)); err != nil {
				return err
			}
		}
	}
	return s.stopped()
}

// add counts the slices of an interval, which belong to one group.
func (t *violationCounter) add(iv slices.Interval, places []int) error {
	s := &t.search
	n, err := t.slices(iv)
	if err != nil {
		return err
	}
	g, err := t.groupOf(places)
	if err != nil {
		return err
	}
	g.number.add(n)
	t.number.add(n)
	size := iv.Lowest()
	if s.last {
		size = iv.Highest()
	}
	if g.first != nil && size != g.first.size && (size < g.first.size) == s.last {
		return nil
	}
	set := s.lat.Set(iv)
	slice, _ := set.Least()
	if s.last {
		slice, _ = set.Greatest()
	}
	g.offer(s, &violation{slice, size, stdslices.Clone(s.tiva())}, places)
	return nil
}

// groupOf returns the group of the places, a new one if there was none.
func (t *violationCounter) groupOf(places []int) (*group, error) {
	key := t.key(places)
	g := t.groups[key]
	if g == nil {
		if err := t.search.budget.Allow(len(t.groups) + 1); err != nil {
			return nil, err
		}
		g = &group{number: Number{new(big.Int), new(big.Int)}}
		t.groups[key] = g
	}
	return g, nil
}

func (g *group) offer(s *search, v *violation, places []int) {
	if g.first == nil || s.compare(v, g.first) < 0 {
		g.first, g.places = v, places
	}
}

// key returns a string that identifies the group of the places of all TIVs.
func (t *violationCounter) key(places []int) string {
	places = stdslices.Clone(places)
	for _, class := range t.alike {
		var of []int
		for _, tiv := range class {
			of = append(of, places[tiv])
		}
		stdslices.Sort(of)
		for i, tiv := range class {
			places[tiv] = of[i]
		}
	}
	var key []byte
	for _, p := range places {
		key = binary.AppendUvarint(key, uint64(p))
	}
	return string(key)
}

// compare orders violations, the wanted one first.
func (s *search) compare(v, w *violation) int {
	bySize := cmp.Compare(v.size, w.size)
	if s.last {
		bySize = -bySize
	}
	if c := cmp.Or(bySize, stdslices.Compare(v.tiva, w.tiva)); c != 0 {
		return c
	}
	switch {
	case v.slice.Before(w.slice):
		return -1
	case w.slice.Before(v.slice):
		return 1
	}
	return 0
}

// maxExcluded bounds the slices that ranks exclude from an interval and that are counted one by
// one.
const maxExcluded = 100_000

// slices returns the number of slices of an interval.
func (t *violationCounter) slices(iv slices.Interval) (Number, error) {
	ranks := big.NewInt(int64(iv.Highest() - iv.Lowest() + 1)) // each rank has at least one slice
	if order := t.order(); order != nil && t.counter == nil {
		t.counter = order.NewCounter()
	}
	if t.counting.Err() != nil {
		return Number{ranks, poset.AtMost(t.search.net, iv.Lo.At, iv.Hi.At)}, nil
	}
	b := t.counter.Between(t.counting, iv.Lo.At, iv.Hi.At)
	if !iv.Ranked() {
		return Number{b.Min, b.Max}, nil
	}
	excluded, ok, err := t.search.lat.CountExcludedByRank(t.search.budget, iv, maxExcluded)
	if err != nil {
		return Number{}, err
	}
	if !ok {
		return Number{ranks, b.Max}, nil
	}
	by := big.NewInt(int64(excluded))
	n := Number{new(big.Int).Sub(b.Min, by), new(big.Int).Sub(b.Max, by)}
	if n.Min.Cmp(ranks) < 0 {
		n.Min = ranks
	}
	return n, nil
}

// order returns the order of the run; nil if there is no time for it.
func (t *violationCounter) order() *poset.Poset {
	if t.poset == nil && t.counting.Err() == nil {
		t.poset, _ = poset.Within(t.counting, t.search.net)
	}
	return t.poset
}

func (n *Number) add(m Number) {
	n.Min.Add(n.Min, m.Min)
	n.Max.Add(n.Max, m.Max)
}
