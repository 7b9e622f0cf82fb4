package san

// IsJump reports whether an event stands for several that were condensed.
func (n *Net) IsJump(a Action) bool { return n.tasks[a.Task].jumpAt(a.K) != nil }
