package globalstates

import (
	"fmt"

	"github.com/antichain-go/antichain/slices"
)

// position says how many operations each goroutine has done: a state of an execution.
type position [5]int8

// seen are the states that are found of an execution.
type seen struct {
	run, valid, reachable map[position]bool
}

// look finds the states of an execution: the slices in the order of its sections, the valid slices
// without it, and all that the goroutines can come to.
func look(x *execution) (*seen, error) {
	run, free, err := x.nets()
	if err != nil {
		return nil, err
	}
	s := &seen{run: map[position]bool{}, valid: map[position]bool{}, reachable: x.reachable()}
	for at := range Enumerate(run) {
		s.run[positionOf(at)] = true
	}
	lat := slices.NewLattice(free)
	sections := slices.NewSections(lat)
	for at := range Enumerate(free) {
		if isValid(lat, sections, at) {
			s.valid[positionOf(at)] = true
		}
	}
	return s, s.check()
}

// check returns an error if a state is seen in a narrower sense and not in a wider one.
func (s *seen) check() error {
	for at := range s.run {
		if !s.valid[at] {
			return fmt.Errorf("%v is in the order of the run, and not valid without it", at)
		}
	}
	for at := range s.valid {
		if !s.reachable[at] {
			return fmt.Errorf("%v is valid, and cannot be reached", at)
		}
	}
	return nil
}

func isValid(lat *slices.Lattice, s *slices.Sections, at []int32) bool {
	counts := make([]int, len(at))
	for t, n := range at {
		counts[t] = int(n)
	}
	i, ok := lat.Ideal(counts)
	if !ok {
		return false
	}
	closed, ok := s.Closure(i)
	return ok && closed.Equal(i)
}

// positionOf returns a slice as a position. Tasks are in the order of goroutines.
func positionOf(at []int32) (p position) {
	for t, n := range at {
		p[t] = int8(n)
	}
	return p
}

// reachable returns the positions to which goroutines come if one after the other does an operation
// that it need not wait for.
func (x *execution) reachable() map[position]bool {
	found := map[position]bool{{}: true}
	for work := []position{{}}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for g := range x.goroutines {
			next := at
			next[g]++
			if int(at[g]) < len(x.goroutines[g]) && !found[next] && x.canStep(at, g) {
				found[next] = true
				work = append(work, next)
			}
		}
	}
	return found
}

// canStep reports whether a goroutine need not wait.
func (x *execution) canStep(at position, g int) bool {
	o := x.goroutines[g][at[g]]
	switch o.op {
	case receive:
		for from := range x.goroutines {
			if name(from) == o.of.Task {
				return int(at[from]) >= o.of.K
			}
		}
	case lock, rlock:
		for other := range x.goroutines {
			if by := x.holds(other, at, o.obj); by == lock || by == rlock && o.op == lock {
				return false
			}
		}
	}
	return true
}

// holds returns how a goroutine has taken a lock that it holds; "" if it does not.
func (x *execution) holds(g int, at position, l int) (by string) {
	for _, o := range x.goroutines[g][:at[g]] {
		switch {
		case o.op == lock && o.obj == l, o.op == rlock && o.obj == l:
			by = o.op
		case o.op == unlock && o.obj == l, o.op == runlock && o.obj == l:
			by = ""
		}
	}
	return by
}
