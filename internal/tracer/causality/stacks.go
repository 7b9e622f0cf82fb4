package causality

import (
	"encoding/binary"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// stacks numbers the places of operations: return addresses, innermost first.
type stacks struct {
	places map[string]op.Place // by the addresses as bytes
	known  []string            // the addresses of each place, from 1
	pcs    []uint64            // reused
	bytes  []byte              // reused

	// recent is a small cache in front of places.
	recent [recentPlaces]struct {
		pcs   [ring.PCs]uint64
		place op.Place
	}
}

// maxStacks bounds the number of cached places: corrupt records may hold any addresses.
const maxStacks = 1 << 20

func (s *stacks) place(pcs *[ring.PCs]uint64) op.Place {
	recent := &s.recent[recentPlace(pcs)]
	if recent.pcs != *pcs {
		recent.pcs, recent.place = *pcs, s.longPlace(&ring.Record{PC: *pcs})
	}
	return recent.place
}

// longPlace returns the place of a record, with all of its addresses.
func (s *stacks) longPlace(rec *ring.Record) op.Place {
	s.pcs = rec.AppendStack(s.pcs[:0])
	return s.number(s.pcs)
}

// number returns the place of addresses.
func (s *stacks) number(pcs []uint64) op.Place {
	b := s.bytes[:0]
	for _, pc := range pcs {
		b = binary.LittleEndian.AppendUint64(b, pc)
	}
	s.bytes = b
	if len(b) == 0 {
		return 0
	}
	place, ok := s.places[string(b)]
	if !ok && len(s.known) < maxStacks {
		if s.places == nil {
			s.places = map[string]op.Place{}
		}
		s.known = append(s.known, string(b))
		place = op.Place(len(s.known))
		s.places[s.known[place-1]] = place
	}
	return place
}

// addresses returns the addresses of a place.
func (s *stacks) addresses(place op.Place) []uint64 {
	if place == 0 || int(place) > len(s.known) {
		return nil
	}
	var pcs []uint64
	for b := []byte(s.known[place-1]); len(b) > 0; b = b[8:] {
		pcs = append(pcs, binary.LittleEndian.Uint64(b))
	}
	return pcs
}
