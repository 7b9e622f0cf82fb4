package strategy

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// Bounds of a corpus.
const (
	mostPairs  = 1 << 12 // that constraints are made of
	mostPlaces = 32      // of an object
	mostEnergy = 16      // runs with changes of the same constraints, one after the other
)

// corpus is what RFF has kept of its runs, a Learner.
type corpus struct {
	kept  []*kept // the first has no constraints
	turn  int     // which of them is changed now
	left  int     // how many more runs have changes of it
	runs  int
	shown map[readsFrom]bool // pairs of operations that some run has shown
	// how many runs have shown exactly a set of pairs, whose sum stands for it
	times map[uint64]int

	// Pairs of places whose operations are on one object in some run, in the order in which they
	// came, whether or not one has read from the other.
	pairs []readsFrom
	known map[readsFrom]bool
}

// kept are the constraints of a run that has shown something new.
type kept struct {
	constraints []ring.Constraint
	shows       uint64 // the set of pairs of that run
	turns       int    // how often it was changed for a few runs
}

// readsFrom is that an operation at one place reads what one at another place has written. There is
// no writer if it is the first one on its object.
type readsFrom struct{ writer, reader uint32 }

func newCorpus() *corpus {
	return &corpus{shown: make(map[readsFrom]bool), times: make(map[uint64]int), known: make(map[readsFrom]bool)}
}

// Draw returns the strategy of the run of a seed: constraints that were kept, with one change.
func (c *corpus) Draw(seed uint64) Strategy {
	if len(c.pairs) == 0 {
		return Strategy{Rule: RFF}
	}
	return Strategy{Rule: RFF, Learnt: encodeConstraints(c.changed(c.next().constraints, mixed(^seed)))}
}

// next returns what is changed for the next run. Pairs that few runs have shown get more runs, and
// more of them each time: the cut-off exponential schedule of Böhme, Pham, Roychoudhury,
// Coverage-based Greybox Fuzzing as Markov Chain (CCS 2016), section 4.
func (c *corpus) next() *kept {
	for range c.kept {
		if c.left > 0 {
			break
		}
		c.turn = (c.turn + 1) % len(c.kept)
		c.left = c.energy(c.kept[c.turn])
	}
	c.left = max(c.left, 1) - 1
	return c.kept[c.turn]
}

func (c *corpus) energy(k *kept) int {
	times := c.times[k.shows]
	if times*len(c.times) > c.runs { // more often than the mean
		return 0
	}
	k.turns++
	return max(1, min(1<<min(k.turns, 30)/max(times, 1), mostEnergy))
}

// changed returns constraints with one change: one more, one less, another one, or the opposite of
// one.
func (c *corpus) changed(constraints []ring.Constraint, random uint64) []ring.Constraint {
	below := func(n int) int {
		random = mixed(random)
		return int(random % uint64(n))
	}
	changed := slices.Clone(constraints)
	pair := c.pairs[below(len(c.pairs))]
	another := ring.Constraint{Writer: pair.writer, Reader: pair.reader, Other: below(2) == 0}
	what := below(4)
	if len(changed) == 0 {
		return append(changed, another)
	}
	i := below(len(changed))
	switch {
	case what == 0 && len(changed) < maxConstraints:
		return append(changed, another)
	case what == 1 && len(changed) > 1:
		return slices.Delete(changed, i, i+1)
	case what == 2:
		changed[i].Other = !changed[i].Other
	default:
		changed[i] = another
	}
	return changed
}

// Learn keeps the constraints of a run that shows a new pair.
func (c *corpus) Learn(s Strategy, notes []ring.Note) bool {
	counts, err := s.counts()
	if err != nil { // it is not one of those that were drawn
		return false
	}
	h := history{objects: make(map[uint64]*object), pairs: make(map[readsFrom]bool)}
	for _, n := range notes {
		h.add(n)
	}
	isNew, shows := len(c.kept) == 0, uint64(0)
	for pair := range h.pairs {
		isNew = isNew || !c.shown[pair]
		c.shown[pair] = true
		shows += mixed(uint64(pair.writer)<<32 | uint64(pair.reader))
	}
	c.runs++
	c.times[shows]++
	for _, o := range h.order {
		c.addPairs(o)
	}
	if isNew {
		c.kept = append(c.kept, &kept{constraints: counts.Constraints, shows: shows})
	}
	return false
}

// addPairs adds the pairs of places that operations on an object are at.
func (c *corpus) addPairs(o *object) {
	for _, w := range o.places {
		for _, r := range o.places {
			pair := readsFrom{w.site, r.site}
			isApart := w.goroutine != r.goroutine || w.shared || r.shared
			if w.writes && isApart && !c.known[pair] && len(c.pairs) < mostPairs {
				c.known[pair] = true
				c.pairs = append(c.pairs, pair)
			}
		}
	}
}

// history is what a run has noted, by objects.
type history struct {
	objects map[uint64]*object
	order   []*object // those, as they came
	pairs   map[readsFrom]bool
	last    ring.Note // with a goroutine
}

// object is what operates on an object.
type object struct {
	site, goroutine uint32 // of the last operation that has written
	places          []*place
}

// place is where operations are.
type place struct {
	site, goroutine uint32 // of the first operation
	shared, writes  bool   // other goroutines are there, too; an operation writes
}

func (h *history) add(n ring.Note) {
	if n.Object == 0 {
		return
	}
	if n.Goroutine != 0 {
		h.last = n
	}
	goroutine := h.last.Goroutine
	o := h.objects[n.Object]
	if o == nil {
		o = new(object)
		h.objects[n.Object] = o
		h.order = append(h.order, o)
	}
	if o.goroutine != goroutine {
		h.pairs[readsFrom{o.site, n.Site}] = true
	}
	if !n.Looks {
		o.site, o.goroutine = n.Site, goroutine
	}
	o.addPlace(n, goroutine)
}

func (o *object) addPlace(n ring.Note, goroutine uint32) {
	i := slices.IndexFunc(o.places, func(p *place) bool { return p.site == n.Site })
	if i < 0 && len(o.places) == mostPlaces {
		return
	}
	if i < 0 {
		i = len(o.places)
		o.places = append(o.places, &place{site: n.Site, goroutine: goroutine})
	}
	p := o.places[i]
	p.shared = p.shared || p.goroutine != goroutine
	p.writes = p.writes || !n.Looks
}

// encodeConstraints returns constraints as a text that fits into a command.
func encodeConstraints(constraints []ring.Constraint) string {
	var b []byte
	for _, c := range constraints {
		other := byte(0)
		if c.Other {
			other = 1
		}
		b = append(b, other)
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, c.Writer), c.Reader)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

var errConstraints = errors.New("these are no constraints")

// decodeConstraints returns what encodeConstraints has made a text of.
func decodeConstraints(text string) (*ring.Counts, error) {
	const size = 9
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b)%size != 0 || len(b)/size > maxConstraints {
		return nil, errConstraints
	}
	c := new(ring.Counts)
	for ; len(b) > 0; b = b[size:] {
		constraint := ring.Constraint{
			Writer: binary.LittleEndian.Uint32(b[1:]), Reader: binary.LittleEndian.Uint32(b[5:]), Other: b[0] == 1,
		}
		if b[0] > 1 || constraint.Reader == 0 {
			return nil, errConstraints
		}
		c.Constraints = append(c.Constraints, constraint)
	}
	return c, nil
}
