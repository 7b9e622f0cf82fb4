package process

import (
	"encoding/binary"

	"github.com/antichain-go/antichain/tracer/op"
	"github.com/antichain-go/antichain/tracer/ring"
)

// stacks gives numbers to where operations are: return addresses, innermost first.
type stacks struct {
	places map[string]op.Place // by the addresses as bytes
	pcs    []string            // of each place, from 1
	bytes  []byte              // reused

	// recent is a small cache in front of places.
	recent [recentPlaces]struct {
		pcs   [ring.PCs]uint64
		place op.Place
	}
}

// maxStacks bounds them: scribbled records may hold any address.
const maxStacks = 1 << 20

func (s *stacks) place(pcs [ring.PCs]uint64) op.Place {
	recent := &s.recent[(pcs[0]^pcs[1]*3^pcs[2]*7)%recentPlaces]
	if recent.pcs != pcs {
		recent.pcs, recent.place = pcs, s.long(pcs, nil)
	}
	return recent.place
}

// long is place for a stack that goes on with outer.
func (s *stacks) long(pcs [ring.PCs]uint64, outer []byte) op.Place {
	b := s.bytes[:0]
	for _, pc := range pcs {
		if pc != 0 {
			b = binary.LittleEndian.AppendUint64(b, pc)
		}
	}
	for pc, rest := cutWord(outer); pc != 0; pc, rest = cutWord(rest) {
		b = binary.LittleEndian.AppendUint64(b, pc)
	}
	s.bytes = b
	if len(b) == 0 {
		return 0
	}
	place, ok := s.places[string(b)]
	if !ok && len(s.pcs) < maxStacks {
		if s.places == nil {
			s.places = map[string]op.Place{}
		}
		s.pcs = append(s.pcs, string(b))
		place = op.Place(len(s.pcs))
		s.places[s.pcs[place-1]] = place
	}
	return place
}

// at returns the addresses of a place.
func (s *stacks) at(place op.Place) []uint64 {
	if place == 0 || int(place) > len(s.pcs) {
		return nil
	}
	var pcs []uint64
	for pc, rest := cutWord([]byte(s.pcs[place-1])); pc != 0; pc, rest = cutWord(rest) {
		pcs = append(pcs, pc)
	}
	return pcs
}
