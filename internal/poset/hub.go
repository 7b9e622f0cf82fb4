package poset

import stdslices "slices"

// A lock orders the tasks that take it one after the other, which connects every task to every
// other. All its sections form a chain, too. With this chain as an extra one, a hub, tasks are
// connected only to the hub, and form a tree.

// minHub is the least number of chains that a hub connects.
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

// paths partitions the edges into paths, extending each path as far as the edges allow in their
// order.
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

// isHub reports whether the path visits at least minHub chains.
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
