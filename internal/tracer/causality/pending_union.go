package causality

// pendingUnion is a union in the making. Adding many almost disjoint sets to a growing one would
// take quadratic time. So each is added to one of its own size.
//
// Invariant: when a set comes in, each set has at least twice the events of the next one. So each
// event is merged at most once for each doubling.
type pendingUnion []known

// gather adds k to a union.
func (u *knowledge) gather(to pendingUnion, k known) pendingUnion {
	for n := len(to); n > 0 && to[n-1].size() < 2*k.size(); n-- {
		k = u.union(to[n-1], k)
		to[n-1] = known{}
		to = to[:n-1]
	}
	return append(to, k)
}

// unite returns the union.
func (u *knowledge) unite(of pendingUnion) (k known) {
	for i := len(of) - 1; i >= 0; i-- {
		k = u.union(of[i], k)
	}
	return k
}

// size is the number of events in both orders.
func (k known) size() int { return k.order.size() + k.data.size() }

func (s *set) size() int {
	if s == nil {
		return 0
	}
	return len(s.events)
}
