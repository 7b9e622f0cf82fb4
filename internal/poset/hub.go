package poset

import stdslices "slices"

// A lock leads from each task that takes it to the next one, so that every task touches every other. The sections of all of them are a chain,
// too: with that as a chain of its own, a hub, tasks touch nothing else, and are a tree.

// minHub is how many chains a hub has to touch.
const minHub = 3

// withHubs returns the sweep with hubs in place of the edges that lead along them.
func (s *sweep) withHubs() *sweep {
	h := &sweep{length: s.length, roles: s.roles, chains: stdslices.Clone(s.chains)}
	for i := range s.nodes {
		n := s.nodes[i]
		n.before, n.behind = nil, nil
		h.nodes = append(h.nodes, n)
	}
	for i, n := range h.nodes {
		if n.tied != int32(i) {
			h.tie(n.tied, int32(i))
		}
	}
	for _, path := range s.paths() {
		if !s.isHub(path) {
			for i, n := range path[1:] {
				if s.nodes[n].chain != s.nodes[path[i]].chain {
					h.edge(path[i], n)
				}
			}
			continue
		}
		chain := int32(len(h.chains))
		h.chains = append(h.chains, nil)
		for _, n := range path {
			number := int32(len(h.nodes))
			h.nodes = append(h.nodes, node{chain: chain, length: 1, touched: true, tied: number, hub: true})
			h.chains[chain] = append(h.chains[chain], number)
			h.tie(n, number)
		}
	}
	return h
}

// paths returns paths that have each edge once, each as long as it becomes if edges are appended in their order.
func (s *sweep) paths() [][]int32 {
	var paths [][]int32
	at := make(map[int32]int) // by chain: a path that ends there
	for y := range int32(len(s.nodes)) {
		for _, x := range s.nodes[y].before {
			if s.nodes[x].tied == s.nodes[y].tied {
				continue
			}
			from := s.nodes[x].chain
			i, ok := at[from]
			if !ok || paths[i][len(paths[i])-1] > x {
				i = len(paths)
				paths = append(paths, []int32{x})
			} else {
				delete(at, from)
			}
			if p := paths[i]; p[len(p)-1] != x {
				paths[i] = append(p, x)
			}
			paths[i] = append(paths[i], y)
			at[s.nodes[y].chain] = i
		}
	}
	return paths
}

// isHub reports whether the path comes to so many chains.
func (s *sweep) isHub(path []int32) bool {
	var chains []int32
	for _, n := range path {
		if c := s.nodes[n].chain; !stdslices.Contains(chains, c) {
			if chains = append(chains, c); len(chains) == minHub {
				return true
			}
		}
	}
	return false
}
