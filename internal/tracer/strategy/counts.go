package strategy

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// Counts are the operations of a run that SURW may count, a Learner. The zero value is of no run.
//
// Addresses of objects differ from run to run, and places in the program do not. So what counts is
// operations at some places: those that operate on one object, all those that operate on the same
// objects as they do, and so on.
type Counts struct {
	groups     []group  // of operations on objects that several goroutines share
	goroutines []uint32 // in the order in which they were started
	parents    map[uint32]uint32
	places     map[uint32]uint32 // where they were started
	known      bool              // from a run
}

// group is a group of places that operate on the same objects.
type group struct {
	sites      []uint32
	operations map[uint32]uint32 // of goroutines
}

// CountsOf returns the operations that a run has noted.
func CountsOf(notes []ring.Note) *Counts {
	c := &Counts{parents: make(map[uint32]uint32), places: make(map[uint32]uint32), known: true}
	sites := make(sets)
	first := make(map[uint64]uint32) // a site of each object
	users := make(map[uint64]uint32) // a goroutine
	shared := make(map[uint32]bool)  // sites
	operations := make(map[uint32]map[uint32]uint32)
	user := uint32(0)
	for _, n := range notes {
		if n.Object == 0 {
			c.goroutines = append(c.goroutines, n.Goroutine)
			c.parents[n.Goroutine], c.places[n.Goroutine] = n.Parent, n.Site
			continue
		}
		if n.Goroutine != 0 {
			user = n.Goroutine
			if operations[n.Site] == nil {
				operations[n.Site] = make(map[uint32]uint32)
			}
			operations[n.Site][user]++
		}
		if other, ok := first[n.Object]; ok {
			sites.join(n.Site, other)
			shared[n.Site] = shared[n.Site] || users[n.Object] != user
		}
		first[n.Object], users[n.Object] = n.Site, user
	}
	c.group(sites, shared, operations)
	return c
}

// Learn takes the operations of the first run.
func (c *Counts) Learn(_ Strategy, notes []ring.Note) bool {
	if c.known {
		return false
	}
	*c = *CountsOf(notes)
	return true
}

// group puts sites into groups.
func (c *Counts) group(s sets, shared map[uint32]bool, operations map[uint32]map[uint32]uint32) {
	groups := make(map[uint32]*group)
	isShared := make(map[uint32]bool)
	for _, site := range slices.Sorted(maps.Keys(operations)) {
		root := s.of(site)
		g := groups[root]
		if g == nil {
			g = &group{operations: make(map[uint32]uint32)}
			groups[root] = g
		}
		g.sites = append(g.sites, site)
		isShared[root] = isShared[root] || shared[site]
		for goroutine, n := range operations[site] {
			g.operations[goroutine] += n
		}
	}
	for root, g := range groups {
		if isShared[root] {
			c.groups = append(c.groups, *g)
		}
	}
	slices.SortFunc(c.groups, func(a, b group) int { return cmp.Compare(a.sites[0], b.sites[0]) })
}

// sets are disjoint sets of sites: each site leads to another one of its set, or is its root.
type sets map[uint32]uint32

func (s sets) of(site uint32) uint32 {
	for {
		next, ok := s[site]
		if !ok {
			return site
		}
		site = next
	}
}

func (s sets) join(a, b uint32) {
	if a, b = s.of(a), s.of(b); a != b {
		s[a] = b
	}
}

// Draw returns the strategy of the run of a seed: one group counts. If there is none, the run walks
// and learns.
func (c *Counts) Draw(seed uint64) Strategy {
	if len(c.groups) == 0 {
		return Strategy{Rule: SURW}
	}
	g := &c.groups[mixed(mixed(seed))%uint64(len(c.groups))]
	return Strategy{Rule: SURW, Learnt: encode(&ring.Counts{Sites: g.sites, Weights: c.weights(g)})}
}

// mostWeights bounds the goroutines that are listed one by one, which are in the command that
// repeats a run. All others have the weight of those that the same go statement starts.
const mostWeights = 64

// weights returns how many operations of g goroutines do: the mean of those that are started at a
// place, and of each other one.
func (c *Counts) weights(g *group) (all []ring.Weight) {
	totals := maps.Clone(g.operations)
	sums, number := make(map[uint32]uint32), make(map[uint32]uint32)
	for _, goroutine := range slices.Backward(c.goroutines) { // those that it starts come first
		if parent := c.parents[goroutine]; parent != 0 {
			totals[parent] += totals[goroutine]
		}
		sums[c.places[goroutine]] += totals[goroutine]
		number[c.places[goroutine]]++
	}
	for _, place := range slices.Sorted(maps.Keys(sums)) {
		n := number[place]
		if sums[place] = (sums[place] + n/2) / n; sums[place] > 0 {
			all = append(all, ring.Weight{Of: place, Steps: sums[place]})
		}
	}
	listed := 0
	for _, goroutine := range c.goroutines {
		if steps := totals[goroutine]; steps != sums[c.places[goroutine]] && listed < mostWeights {
			all = append(all, ring.Weight{Of: goroutine, Steps: steps})
			listed++
		}
	}
	return all
}

// encode returns counts as a text that fits into a command.
func encode(c *ring.Counts) string {
	b := binary.AppendUvarint(nil, uint64(len(c.Sites)))
	for _, site := range c.Sites {
		b = binary.LittleEndian.AppendUint32(b, site)
	}
	for _, w := range c.Weights {
		b = binary.AppendUvarint(binary.LittleEndian.AppendUint32(b, w.Of), uint64(w.Steps))
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

var errCounts = errors.New("these are no counts")

// decode returns the counts that a text says; "" says nothing.
func decode(text string) (*ring.Counts, error) {
	c := new(ring.Counts)
	if text == "" {
		return c, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	sites, n := binary.Uvarint(b)
	if err != nil || n <= 0 || sites > uint64(len(b)-n)/4 {
		return nil, errCounts
	}
	for b = b[n:]; sites > 0; sites, b = sites-1, b[4:] {
		c.Sites = append(c.Sites, binary.LittleEndian.Uint32(b))
	}
	for len(b) > 0 {
		if len(b) < 5 {
			return nil, errCounts
		}
		steps, n := binary.Uvarint(b[4:])
		if n <= 0 || steps > 1<<31 {
			return nil, errCounts
		}
		c.Weights = append(c.Weights, ring.Weight{Of: binary.LittleEndian.Uint32(b), Steps: uint32(steps)})
		b = b[4+n:]
	}
	if len(c.Weights) == 0 {
		return nil, errCounts
	}
	return c, nil
}
