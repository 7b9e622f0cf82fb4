package onthefly

// Most events change the truth of no local formula, and a monitor makes a version of every record,
// which may be one event. So what an event cannot change is passed over:
//
//   - Local states with the truths of the one before of their task are not part of a version: a row of local states goes on in them.
//   - A stage that only joins what its children pass on has nothing to do if that is nothing new.
//   - If no stage has anything to do only the roots are asked, whose obligations may hold now.
//
// All the rest goes by the number of events, and is done as if nothing was passed over: sweeps, and
// what is forgotten.

// isCalm reports whether nothing is new in a version but events of tasks that were there before.
func (c *Checker) isCalm(v *version, forgets bool) bool {
	return v.number > 1 && v.tasks == v.before && !v.sweep && !v.closed && !forgets && !c.thorough
}

// isQuiet reports whether no stage has anything to do.
func (c *Checker) isQuiet(v *version) bool {
	return v.calm && len(v.states) == 0 && !c.windows && !c.counts
}

// isCalmNode reports whether a node adds nothing to what its children pass on in a calm version.
func isCalmNode(n node) bool {
	switch n.(type) {
	case *conjunction, *conjunctionJoin, *conditionNode, disjunction, existential, sometimeNode, next:
		return true
	}
	return false
}

// passes reports whether the stage has nothing to do in a version.
func (s *stage) passes(v *version) bool {
	if !v.calm || !s.calm {
		return false
	}
	for _, fresh := range s.fresh {
		if len(fresh) > 0 {
			return false
		}
	}
	return true
}
