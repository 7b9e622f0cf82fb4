package diagram

import (
	"cmp"
	"slices"
)

// layout is a graph whose nodes stand on layers. An edge that has a text, or passes layers, has
// joints on the layers between, so every edge leads from one layer to the next.
type layout struct {
	width, height []float64 // of nodes, and of joints
	layer         []int
	layers        [][]int // nodes and joints from left to right
	down, up      [][]int // neighbours on the next layer, and on the one before
	x             []float64
	paths         []path // of each edge; empty for a loop
}

// path has the nodes of an edge and the joints between, from the upper end to the lower one.
type path struct {
	stations []int
	reversed bool // the edge leads up
}

type link struct {
	from, to      int
	width, height float64 // of its text; 0 if it has none
}

// arrange lays out nodes with the given sizes.
func arrange(width, height []float64, links []link) *layout {
	l := &layout{width: slices.Clone(width), height: slices.Clone(height)}
	reversed := closing(len(width), links)
	l.rank(len(width), links, reversed)
	l.connect(links, reversed)
	l.order()
	l.place()
	return l
}

// closing returns the links that close a cycle: a depth-first search finds them to lead to a node
// on its stack. Without them the graph is acyclic.
func closing(nodes int, links []link) []bool {
	out := make([][]int, nodes)
	for i, e := range links {
		out[e.from] = append(out[e.from], i)
	}
	const open, done = 1, 2
	state := make([]int, nodes)
	back := make([]bool, len(links))
	var visit func(n int)
	visit = func(n int) {
		state[n] = open
		for _, i := range out[n] {
			switch to := links[i].to; state[to] {
			case open:
				back[i] = true
			case 0:
				visit(to)
			}
		}
		state[n] = done
	}
	for n := range nodes {
		if state[n] == 0 {
			visit(n)
		}
	}
	return back
}

// rank puts each node on the first layer below all its predecessors. The text of an edge takes a
// layer of its own.
func (l *layout) rank(nodes int, links []link, reversed []bool) {
	l.layer = make([]int, nodes)
	incoming := make([]int, nodes)
	out := make([][]link, nodes)
	for i, e := range links {
		if e.from == e.to {
			continue
		}
		if reversed[i] {
			e.from, e.to = e.to, e.from
		}
		incoming[e.to]++
		out[e.from] = append(out[e.from], e)
	}
	var ready []int
	for n := range nodes {
		if incoming[n] == 0 {
			ready = append(ready, n)
		}
	}
	for ; len(ready) > 0; ready = ready[1:] {
		for _, e := range out[ready[0]] {
			l.layer[e.to] = max(l.layer[e.to], l.layer[e.from]+e.span())
			if incoming[e.to]--; incoming[e.to] == 0 {
				ready = append(ready, e.to)
			}
		}
	}
}

// span is the least number of layers that an edge passes.
func (e *link) span() int {
	if e.width > 0 {
		return 2
	}
	return 1
}

// connect makes the paths of the edges. The text of an edge is at the first joint on its way down.
func (l *layout) connect(links []link, reversed []bool) {
	l.paths = make([]path, len(links))
	for i, e := range links {
		if e.from == e.to {
			continue
		}
		from, to := e.from, e.to
		if reversed[i] {
			from, to = to, from
		}
		stations := []int{from}
		for layer := l.layer[from] + 1; layer < l.layer[to]; layer++ {
			stations = append(stations, len(l.layer))
			l.layer = append(l.layer, layer)
			l.width, l.height = append(l.width, e.width), append(l.height, e.height)
			e.width, e.height = 0, 0
		}
		l.paths[i] = path{append(stations, to), reversed[i]}
	}
	l.down, l.up = make([][]int, len(l.layer)), make([][]int, len(l.layer))
	for _, p := range l.paths {
		for k := 1; k < len(p.stations); k++ {
			upper, lower := p.stations[k-1], p.stations[k]
			l.down[upper] = append(l.down[upper], lower)
			l.up[lower] = append(l.up[lower], upper)
		}
	}
	l.layers = make([][]int, 1+slices.Max(append([]int{-1}, l.layer...)))
	for n, layer := range l.layer {
		l.layers[layer] = append(l.layers[layer], n)
	}
}

// sweeps is the number of times that order and place go down and up.
const sweeps = 8

// order sorts each layer by the barycentres of the neighbours, which leaves few crossings
// (Sugiyama, Tagawa and Toda 1981).
func (l *layout) order() {
	at := make([]float64, len(l.layer))
	number := func(layer []int) {
		for i, n := range layer {
			at[n] = float64(i)
		}
	}
	for _, layer := range l.layers {
		number(layer)
	}
	middle := make([]float64, len(l.layer))
	l.sweep(func(layer []int, neighbours [][]int) {
		for _, n := range layer {
			middle[n] = mean(neighbours[n], at, at[n])
		}
		slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(middle[a], middle[b]) })
		number(layer)
	})
}

// mean returns the mean of the values of nodes, or other if there are no nodes.
func mean(of []int, values []float64, other float64) float64 {
	if len(of) == 0 {
		return other
	}
	sum := 0.0
	for _, n := range of {
		sum += values[n]
	}
	return sum / float64(len(of))
}

// sweep visits the layers down with the neighbours above, then up with the neighbours below.
func (l *layout) sweep(visit func(layer []int, neighbours [][]int)) {
	for range sweeps {
		for _, layer := range l.layers {
			visit(layer, l.up)
		}
		for _, layer := range slices.Backward(l.layers) {
			visit(layer, l.down)
		}
	}
}

// gap is the least distance between nodes of a layer.
const gap = 18

// place puts each node as close to the mean of its neighbours as the other nodes of its layer
// allow.
func (l *layout) place() {
	l.x = make([]float64, len(l.layer))
	l.sweep(func(layer []int, neighbours [][]int) {
		wanted := make([]float64, len(layer))
		// of each node, its position if the layer were packed as tightly as possible
		left := make([]float64, len(layer))
		for i, n := range layer {
			if i > 0 {
				left[i] = left[i-1] + (l.width[layer[i-1]]+l.width[n])/2 + gap
			}
			wanted[i] = mean(neighbours[n], l.x, l.x[n]) - left[i]
		}
		for i, x := range nearestRising(wanted) {
			l.x[layer[i]] = x + left[i]
		}
	})
}

// nearestRising returns the non-decreasing sequence with the least sum of squared differences from
// wanted. It pools adjacent violators (Ayer et al., "An Empirical Distribution Function for
// Sampling with Incomplete Information", 1955).
func nearestRising(wanted []float64) []float64 {
	type pool struct {
		sum   float64
		count int
	}
	var pools []pool
	for _, x := range wanted {
		pools = append(pools, pool{x, 1})
		for k := len(pools) - 1; k > 0; k-- {
			a, b := pools[k-1], pools[k]
			if a.sum*float64(b.count) <= b.sum*float64(a.count) {
				break
			}
			pools = append(pools[:k-1], pool{a.sum + b.sum, a.count + b.count})
		}
	}
	rising := make([]float64, 0, len(wanted))
	for _, p := range pools {
		for range p.count {
			rising = append(rising, p.sum/float64(p.count))
		}
	}
	return rising
}
