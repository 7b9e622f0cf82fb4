package causality

import (
	"iter"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// Symbols names places in the program's code.
type Symbols interface {
	// Function returns the name of the function that starts at entry, with the path of its package
	// if that is known; "" if the function is unknown.
	Function(entry uint64) string
	// Position returns "file.go:line" of the user's code that the return addresses, innermost
	// first, lead to; "" if unknown. library says that the operation is internal to the standard
	// library.
	Position(pcs [ring.PCs]uint64) (at string, library bool)
	// Location returns the Position of any number of return addresses, and all calls.
	Location(pcs []uint64) op.Location
	// Calls yields all calls that they lead to, innermost first.
	Calls(pcs []uint64) iter.Seq[op.Call]
}

// position is the place in the program at which a record was made.
type position struct {
	at      string
	library bool
}

// maxPlaces bounds the size of each cache: corrupt records may hold any addresses.
const maxPlaces = 1 << 16

// placeCache caches the answers of Symbols.
type placeCache struct {
	positions map[[ring.PCs]uint64]position
	functions map[uint64]function
	libraries map[[ring.PCs]uint64]bool

	// recent is a small cache in front of positions, which need a slow hash.
	recent [recentPlaces]struct {
		pcs [ring.PCs]uint64
		position
	}
}

// function is the name of a function.
type function struct {
	path  string // with the path of its package
	short string // op.ShortName
}

const (
	recentBits   = 10
	recentPlaces = 1 << recentBits
)

// recentPlace returns the index of return addresses in a cache of recentPlaces. Programs have few
// thousand of them, close to each other.
func recentPlace(pcs *[ring.PCs]uint64) uint64 {
	return (pcs[0] ^ pcs[1]*3 ^ pcs[2]*7) * 0x9e3779b97f4a7c15 >> (64 - recentBits)
}

func (p *Order) position(pcs [ring.PCs]uint64) string { return p.lookUp(pcs).at }

func (p *Order) lookUp(pcs [ring.PCs]uint64) position {
	if p.opt.Symbols == nil || pcs == ([ring.PCs]uint64{}) {
		return position{}
	}
	recent := &p.places.recent[recentPlace(&pcs)]
	if recent.pcs == pcs {
		return recent.position
	}
	recent.pcs, recent.position = pcs, cached(&p.places.positions, pcs, func() (s position) {
		s.at, s.library = p.opt.Symbols.Position(pcs)
		return s
	})
	return recent.position
}

// cached returns the value of a key, which it makes if the cache lacks it.
func cached[K comparable, V any](cache *map[K]V, key K, newValue func() V) V {
	v, ok := (*cache)[key]
	if !ok {
		if len(*cache) >= maxPlaces || *cache == nil {
			*cache = map[K]V{}
		}
		v = newValue()
		(*cache)[key] = v
	}
	return v
}

// isLibrary reports whether the operation at a place is internal to the standard library, and not
// on a lock of the program.
func (p *Order) isLibrary(pcs [ring.PCs]uint64) bool {
	if p.opt.Symbols == nil || pcs == ([ring.PCs]uint64{}) {
		return false
	}
	return cached(&p.places.libraries, pcs, func() bool { return p.opt.Symbols.Location(pcs[:]).Library })
}

func (p *Order) positionOf(pc uint64) string { return p.position([ring.PCs]uint64{pc}) }

func (p *Order) function(entry uint64) function {
	if p.opt.Symbols == nil || entry == 0 {
		return function{}
	}
	return cached(&p.places.functions, entry, func() function {
		path := p.opt.Symbols.Function(entry)
		return function{path, op.ShortName(path)}
	})
}
