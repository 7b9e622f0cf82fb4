package unfolding

// enabled returns the steps that are possible now.
func (x *Explorer) enabled(s *state) []Step {
	var steps []Step
	for _, g := range s.goroutines() {
		steps = append(steps, s.steps(g)...)
	}
	return steps
}

func (x *Explorer) can(s *state, step Step) bool {
	for _, other := range s.steps(step.Goroutine) {
		if other == step {
			return true
		}
	}
	return false
}

// steps returns the possible steps of a goroutine, as the sender where two meet.
func (s *state) steps(g Goroutine) []Step {
	op := s.operation(g)
	o := s.objects[op.Object]
	possible := true
	switch op.Kind {
	case End:
		possible = false
	case Lock, Announce, ReadLock, Do:
		possible = !o.held
	case Wake:
		_, possible = o.notified[g]
	case Acquire:
		possible = o.readers == 0
	case Wait:
		possible = o.counter == 0
	case Communicate:
		return s.communications(g, op)
	}
	if !possible {
		return nil
	}
	return []Step{{Goroutine: g, Partner: Alone}}
}

func (s *state) communications(g Goroutine, op Operation) []Step {
	var steps []Step
	ready := false
	for i, c := range op.Cases {
		if s.ready(c) {
			ready = true
			steps = append(steps, Step{Goroutine: g, Case: i, Partner: Alone})
			continue
		}
		if c.Send && c.Capacity == 0 {
			steps = append(steps, s.meetings(g, op, i)...)
		}
	}
	if op.Default && !ready {
		steps = append(steps, Step{Goroutine: g, Case: Default, Partner: Alone})
	}
	return steps
}

// ready reports whether a case can be done without a partner.
func (s *state) ready(c Case) bool {
	o := s.objects[c.Channel]
	if c.Send {
		return o.closed || len(o.sent)-o.received < c.Capacity
	}
	return o.closed || len(o.sent) > o.received
}

// meetings returns the steps in which a case of a sender meets a receiver.
func (s *state) meetings(g Goroutine, op Operation, i int) []Step {
	var steps []Step
	for _, h := range s.goroutines() {
		other := s.operation(h)
		// Two selects with defaults never meet: one of them would have to wait.
		if h == g || other.Kind != Communicate || op.Default && other.Default {
			continue
		}
		for j, c := range other.Cases {
			if !c.Send && c.Channel == op.Cases[i].Channel {
				steps = append(steps, Step{Goroutine: g, Case: i, Partner: h, Receives: j})
			}
		}
	}
	return steps
}

// accesses returns what a step that is possible uses, and the events that it comes after for other
// reasons: the value that it receives, or the room that was made for what it sends.
func (s *state) accesses(step Step, op Operation) (uses []access, after []int) {
	o := s.objects[op.Object]
	one := func(p part, e effect) []access { return []access{{op.Object, p, e}} }
	// what an operation uses that changes its object only if that is so now
	whenever := func(changes bool) []access {
		if changes {
			return one(whole, writes)
		}
		return one(whole, reads)
	}
	switch op.Kind {
	case Lock, Unlock, Store, Announce, WriteUnlock, Enlist, DoEnds:
		return one(whole, writes), nil
	case TryLock:
		return whenever(!o.held), nil
	case TryWriteLock:
		return o.tryWriteLock(op.Object), nil
	case Do:
		return whenever(!o.done), nil
	case Signal, Broadcast:
		return whenever(len(o.enlisted) > 0), nil
	case Wake:
		return nil, []int{o.notified[step.Goroutine]}
	case ReadLock, TryReadLock:
		if o.held {
			return one(whole, reads), nil // it fails
		}
		return append(one(whole, reads), access{op.Object, entering, adds}), nil
	case Load, Wait:
		return one(whole, reads), nil
	case Add:
		return one(whole, adds), nil
	case Acquire:
		return one(leaving, reads), nil
	case ReadUnlock:
		return one(leaving, adds), nil
	case Close:
		if o.closed {
			return one(closing, reads), nil
		}
		return one(closing, writes), s.ends(op.Object)
	case Length:
		return []access{{op.Object, senders, reads}, {op.Object, takers, reads}}, nil
	case Communicate:
		return s.communication(step, op)
	}
	return nil, nil
}

// tryWriteLock returns what a TryWriteLock uses. If there are readers, it could be earlier than one
// of them, or later than all have left.
func (o object) tryWriteLock(id Object) []access {
	switch {
	case o.held:
		return []access{{id, whole, reads}}
	case o.readers > 0:
		return []access{{id, whole, reads}, {id, entering, reads}, {id, leaving, reads}}
	}
	return []access{{id, whole, writes}, {id, leaving, reads}}
}

// ends returns the latest send of a channel, after which its close comes.
func (s *state) ends(channel Object) []int {
	if sent := s.objects[channel].sent; len(sent) > 0 {
		return sent[len(sent)-1:]
	}
	return nil
}

func (s *state) communication(step Step, op Operation) (uses []access, after []int) {
	if step.Case == Default {
		for _, c := range op.Cases {
			uses = append(uses, access{c.Channel, closing, reads})
			if c.Capacity > 0 {
				uses = append(uses, access{c.Channel, senders, reads}, access{c.Channel, takers, reads})
			}
		}
		return uses, nil
	}
	c := op.Cases[step.Case]
	o := s.objects[c.Channel]
	uses = []access{{c.Channel, closing, reads}}
	switch {
	case step.Partner != Alone, c.Send && o.closed:
	case c.Send:
		uses = append(uses, access{c.Channel, senders, writes})
		if k := len(o.sent) - c.Capacity; k >= 0 {
			after = o.takenBy[k : k+1]
		}
	case o.received < len(o.sent):
		// Values are taken out in the same way before and after the close.
		uses = []access{{c.Channel, takers, writes}}
		after = o.sent[o.received : o.received+1]
	default:
		uses = append(uses, access{c.Channel, takers, reads})
	}
	return uses, after
}
