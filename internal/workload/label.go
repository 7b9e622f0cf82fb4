package workload

import "math/rand/v2"

// label is the set of true atoms in a local state.
type label uint8

const (
	isA label = 1 << iota
	isB
	isC
	isD
	isE
	inAppend
	inRemove
	closeBy // the positions of the ring buffer differ by at most one

	inCall = inAppend | inRemove
)

var atomNames = [...]string{"a", "b", "c", "d", "e"} // by bit

// initially is the label of local state 0. Tasks wait there for a phase that may be hot.
const initially = isB

// place is the position of a local state in the run. A state in which tasks wait between two phases
// belongs to the first one.
type place struct {
	in   phase
	next phase // the next phase, for a waiting state
	wait bool
}

// labelling draws the labels of one task.
type labelling struct {
	Config
	rnd    *rand.Rand
	task   int
	free   bool // see run.free
	places []place
	labels []label
}

func newLabelling(c Config, rnd *rand.Rand, task int, phases []phase, ends []int32) *labelling {
	l := &labelling{Config: c, rnd: rnd, task: task,
		places: make([]place, c.Events+1), labels: make([]label, c.Events+1)}
	k := 1
	for i, p := range phases {
		for ; k <= int(ends[i]); k++ {
			l.places[k].in = p
		}
		if i+1 < len(phases) {
			l.places[ends[i]] = place{in: p, next: phases[i+1], wait: true}
		}
	}
	l.places[0] = place{in: start, next: start, wait: true}
	return l
}

func (l *labelling) draw() []label {
	last := len(l.labels) - 1
	l.labels[0] = initially
	for k, at := range l.places {
		switch {
		case at.in.hot():
			l.labels[k] |= isB
			if at.wait {
				l.labels[k] |= isD
			}
		case at.wait && at.next.hot() && !l.small():
			l.labels[k] |= isB // other tasks may be in a already
		case at.wait && at.next == end:
			l.labels[k] |= isD // other tasks may wait for it later
		}
	}
	own := l.hotPhase(l.task)
	l.once(isA, own, 1) // before the first c
	l.once(isB, middle, len(l.places))
	l.labels[last] |= isB | isD
	if l.free {
		l.labels[last-1] |= isB
		l.labels[last] &^= isB
	}
	l.fill(isA, func(k int) bool { return l.places[k].in == own && !l.places[k].wait })
	l.fill(isB, func(k int) bool { return k > 0 && k < last })
	l.fill(isC, func(k int) bool { return l.places[k].in == late && !l.places[k].wait })
	l.fill(isD, func(k int) bool { return k > 0 })
	if !l.small() {
		l.fill(isE, func(k int) bool { return l.places[k].in == middle && !l.places[k].wait })
	}
	if l.Buffer {
		l.calls()
	}
	return l.labels
}

// once sets m in one state of each of the first phases of a kind, at most this many.
func (l *labelling) once(m label, in phase, most int) {
	for k := 0; k < len(l.places) && most > 0; k++ {
		if l.places[k].in != in {
			continue
		}
		from := k
		for !l.places[k].wait {
			k++
		}
		l.labels[from+l.rnd.IntN(k-from)] |= m
		most--
	}
}

// fill sets m, in rows of random length, in allowed states, until it is true in a randomly drawn
// share of the task's states.
func (l *labelling) fill(m label, allowed func(k int) bool) {
	var at []int
	have := 0
	for k := range l.labels {
		switch {
		case l.labels[k]&m != 0:
			have++
		case allowed(k):
			at = append(at, k)
		}
	}
	// A row of all allowed states would test little: the share is a tenth at least, and at most
	// four fifths of them.
	n := float64(len(l.labels))
	want := int(min((0.1+0.4*l.rnd.Float64())*n, float64(have)+0.8*float64(len(at))))
	want = max(want, int(0.1*n+0.999))
	for _, i := range l.rnd.Perm(len(at)) {
		for length := 1 + l.rnd.IntN(6); length > 0 && i < len(at) && have < want; length-- {
			if k := at[i]; l.labels[k]&m == 0 {
				l.labels[k] |= m
				have++
			}
			if i++; i < len(at) && at[i] != at[i-1]+1 {
				break
			}
		}
	}
}

// calls sets the states in which the task is in append and remove. With positions close by, append
// is where a may be, and remove where c may be. Otherwise both may be anywhere cold.
func (l *labelling) calls() {
	own := l.hotPhase(l.task)
	tenth := len(l.labels)/10 + 1
	l.call(inAppend|closeBy, tenth, func(at place) bool { return at.in == own && !at.wait })
	l.call(inRemove|closeBy, tenth, func(at place) bool { return at.in == late && !at.wait })
	l.call(inAppend, tenth/2, func(at place) bool { return !at.in.hot() && !at.wait })
	l.call(inRemove, tenth/2, func(at place) bool { return !at.in.hot() && !at.wait })
	for k := 1; k < len(l.labels); k++ {
		if l.labels[k]&inCall == 0 && l.rnd.IntN(4) == 0 {
			l.labels[k] |= closeBy
		}
	}
}

// call sets m in rows until at least n states have it or there is no room. No row has a single
// state, since the entry and the exit need one each.
func (l *labelling) call(m label, n int, allowed func(place) bool) {
	calls := func(k int) label {
		if k >= len(l.labels) {
			return 0
		}
		return l.labels[k] & inCall
	}
	free := func(k int) bool { return k < len(l.labels) && allowed(l.places[k]) && calls(k) == 0 }
	for _, k := range l.rnd.Perm(len(l.labels)) {
		if n <= 0 {
			return
		}
		if k == 0 || !free(k) || !free(k+1) && calls(k-1) != m&inCall && calls(k+1) != m&inCall {
			continue
		}
		// A single state left in front of others joins the row.
		for length := 2 + l.rnd.IntN(4); free(k) && (length > 0 || !free(k+1)); length-- {
			l.labels[k] |= m
			n--
			k++
		}
	}
}
