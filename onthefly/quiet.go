package onthefly

// Most events change the truth of no local formula, and a monitor makes a version of every record,
// which may have one event. So the checker skips work that an event cannot affect:
//
//   - A local state with the truths of its task's previous one is not part of a version:
//     its row of local states continues.
//   - A stage that only joins its children's output has nothing to do if that is empty.
//   - If no stage has work, only the roots are updated, because their obligations may hold now.
//
// Everything else depends on the number of events and is done as if nothing was skipped: sweeping
// and forgetting.

// isCalm reports whether a version adds nothing but events of existing tasks.
func (c *Checker) isCalm(v *version, forgets bool) bool {
	return v.number > 1 && v.tasks == v.before && !v.sweep && !v.closed && !forgets && !c.thorough
}

// isQuiet reports whether no stage has work.
func (c *Checker) isQuiet(v *version) bool {
	return v.calm && len(v.states) == 0 && !c.windows && !c.counts
}

// isCalmNode reports whether a node adds nothing to its children's output in a calm version.
func isCalmNode(n node) bool {
	switch n.(type) {
	case *conjunction, *conjunctionJoin, *conditionNode, disjunction, existential, sometimeNode, nextNode:
		return true
	}
	return false
}

// passes reports whether the stage has no work in a version.
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
