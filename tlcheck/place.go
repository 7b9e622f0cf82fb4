package tlcheck

import "github.com/antichain-go/antichain/san"

// Place is where a task stands in a slice.
type Place struct {
	At     string // the position of its latest event that has one
	Func   string // the innermost function on its stack
	Absent bool   // it is not created yet
}

// placeTable has the places of tasks in their local states.
type placeTable struct {
	net    *san.Net
	number map[Place]int
	places []Place
	rows   [][]placeRow // by task, computed on demand
}

// placeRow is a sequence of local states in which a task is at the same place.
type placeRow struct {
	span
	place int // its number
}

func newPlaceTable(net *san.Net) *placeTable {
	return &placeTable{net: net, number: map[Place]int{}, rows: make([][]placeRow, net.Tasks())}
}

// rowsOf returns the rows of a task, which cover all its states, ascending.
func (p *placeTable) rowsOf(t san.Task) []placeRow {
	if p.rows[t] != nil {
		return p.rows[t]
	}
	if !p.net.Initial(t) {
		p.add(t, uncreated, Place{Absent: true})
	}
	at := ""
	for w, k := p.net.Walk(t), 0; ; k++ {
		if k > 0 {
			if own := p.net.Event(san.Action{Task: t, K: int32(k)}).At; own != "" {
				at = own
			}
		}
		function := ""
		if stack := w.State().Stack(); len(stack) > 0 {
			function = stack[len(stack)-1].Func
		}
		p.add(t, k, Place{At: at, Func: function})
		if !w.Next() {
			return p.rows[t]
		}
	}
}

func (p *placeTable) add(t san.Task, k int, place Place) {
	n, ok := p.number[place]
	if !ok {
		n = len(p.places)
		p.number[place] = n
		p.places = append(p.places, place)
	}
	if last := len(p.rows[t]) - 1; last >= 0 && p.rows[t][last].place == n {
		p.rows[t][last].to = k
		return
	}
	p.rows[t] = append(p.rows[t], placeRow{span{k, k}, n})
}
