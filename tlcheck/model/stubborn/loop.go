package stubborn

import "github.com/antichain-go/antichain/tlcheck/model/internal/smallset"

// closing returns some actions, and of the others so many that no loop in the flow graph of a process is without one: those that lead, depth
// first, to a place on the way to where they begin.
func (r *relation) closing(some smallset.Set) smallset.Set {
	w := &loopWalk{relation: r, leaving: map[place][]int{}, state: map[place]walkState{}, closing: smallset.New(len(r.process))}
	w.closing.Join(some)
	for a := range r.process {
		if !some.Has(a) {
			from := place{r.process[a], r.from[a]}
			w.leaving[from] = append(w.leaving[from], a)
		}
	}
	for a := range r.process {
		w.visit(place{r.process[a], r.from[a]})
	}
	return w.closing
}

// place is where a process can be.
type place struct {
	process int32
	at      int64
}

// loopWalk finds actions that close loops.
type loopWalk struct {
	*relation
	leaving map[place][]int // actions that are followed
	state   map[place]walkState
	closing smallset.Set
}

// walkState is how far the walk has come with a place.
type walkState uint8

const (
	unseen walkState = iota
	onTheWay
	left
)

func (w *loopWalk) visit(p place) {
	if w.state[p] != unseen {
		return
	}
	w.state[p] = onTheWay
	for _, a := range w.leaving[p] {
		to := place{p.process, w.to[a]}
		if w.state[to] == onTheWay {
			w.closing.Add(a)
		} else {
			w.visit(to)
		}
	}
	w.state[p] = left
}
