package event

import (
	"slices"
)

// checker finds some faults of an event as soon as it is read. Others, such as a dangling reference
// or an exit that does not match, are found only by the builder of the net. Readers and writers of
// both forms use it.
type checker struct {
	shared       map[string]struct{}
	anyShared    bool // shared is unknown
	version      int  // of the format; 0 if unknown
	noOperations bool // the header announces no operations
	tasks        map[string]*taskCount
	ended        int // number of tasks that have ended
	recent       *recentCache[*taskCount]
}

// taskCount is the checker's state of a task.
type taskCount struct {
	events int // number of events so far
	ended  bool
}

// maxEnded bounds the ended tasks that are remembered, because a server has any number of them.
const maxEnded = 1 << 17

func newChecker(h *Header) checker {
	c := checker{shared: make(map[string]struct{}, len(h.Shared)), tasks: make(map[string]*taskCount),
		recent: new(recentCache[*taskCount]), version: max(h.Version, 1), noOperations: h.Operations == nil}
	for _, b := range h.Shared {
		c.shared[b.Name] = struct{}{}
	}
	return c
}

// next checks the next event of a trace.
func (c *checker) next(e *Event) error {
	if !e.IsAction() {
		return c.checkOperation(e)
	}
	t := c.task(e.Task)
	if t.ended {
		return lineErrorf("event of task %q after its end", e.Task)
	}
	t.events++
	if e.Op == OpEnd {
		t.ended = true
		c.forget()
	}
	return c.check(e, t.events)
}

func (c *checker) task(name string) *taskCount {
	t, ok := c.recent.get(name)
	if ok {
		return t
	}
	if t = c.tasks[name]; t == nil {
		t = new(taskCount)
		c.tasks[name] = t
	}
	c.recent.put(name, t)
	return t
}

// forget drops the ended tasks once there are many.
func (c *checker) forget() {
	if c.ended++; c.ended <= maxEnded {
		return
	}
	for name, t := range c.tasks {
		if t.ended {
			delete(c.tasks, name)
		}
	}
	c.ended = 0
	c.recent.forget()
}

// check returns the fault of e, the k-th event of its task.
func (c *checker) check(e *Event, k int) error {
	if !e.IsAction() {
		return c.checkOperation(e)
	}
	if e.Task == "" {
		return lineErrorf(`event without a task: "t" is missing or empty`)
	}
	if e.Enter != "" && e.Exit != "" {
		return lineErrorf("event with both %q and %q", "enter", "exit")
	}
	if e.Spawn == e.Task {
		return lineErrorf("task %q creates itself", e.Task)
	}
	if len(e.Set)|len(e.Global)|len(e.Write)|len(e.Extra) != 0 {
		if err := c.checkBindings(e); err != nil {
			return err
		}
	}
	if len(e.After)|len(e.With) != 0 {
		return checkRefs(e, k)
	}
	return nil
}

func (c *checker) checkBindings(e *Event) error {
	for _, l := range []struct {
		key  string
		vars []Binding
	}{{"set", e.Set}, {"global", e.Global}, {"write", e.Write}, {"unknown keys", e.Extra}} {
		if name, ok := duplicateName(l.vars); ok {
			return lineErrorf("name %q stands twice in %q", name, l.key)
		}
	}
	if name, ok := commonName(e.Set, e.Global); ok {
		return lineErrorf("variable %q is in both %q and %q", name, "set", "global")
	}
	for i := range e.Write {
		if _, ok := c.shared[e.Write[i].Name]; !ok && !c.anyShared {
			return &lineError{
				reason: lineErrorf("write of variable %q, which the header does not declare as shared",
					e.Write[i].Name).Error(),
				remedy: `add it with its initial value to "shared" in the header`,
			}
		}
	}
	for i := range e.Extra {
		name := e.Extra[i].Name
		if name == headerMark || eventKeyOf(name).forVersion(c.version) != keyUnknown {
			return lineErrorf("extra key %q has a meaning of its own", name)
		}
		if err := checkKey(name, c.version); err != nil {
			return err
		}
	}
	return nil
}

// checkOperation returns the fault of an event that is no action of a task.
func (c *checker) checkOperation(e *Event) error {
	switch {
	case c.version == 1:
		return lineErrorf("version 1 of the trace format has no operations")
	case c.noOperations:
		return &lineError{reason: "an operation in a trace whose header announces none",
			remedy: `add "operations":{} to the header`}
	case e.Record != nil && e.Code != nil || e.Enter != "" || e.Exit != "" || e.Spawn != "" || e.At != "" ||
		e.TS != 0 ||
		len(e.Set)|len(e.Global)|len(e.Write)|len(e.Extra)|len(e.After)|len(e.With) != 0:
		return lineErrorf("an operation that is an event as well")
	case e.Record != nil && !e.Record.Kind.Valid():
		return lineErrorf("a record of the unknown kind %d", uint8(e.Record.Kind))
	}
	return nil
}

// commonName returns a name that both lists bind.
func commonName(as, bs []Binding) (string, bool) {
	if len(as)*len(bs) <= fewNames*fewNames {
		for i := range as {
			for j := range bs {
				if as[i].Name == bs[j].Name {
					return as[i].Name, true
				}
			}
		}
		return "", false
	}
	return duplicateName(slices.Concat(as, bs)) // neither list has duplicates by itself
}

// checkRefs examines an event by itself. The builder of the net finds cycles over other events.
func checkRefs(e *Event, k int) error {
	for _, r := range e.After {
		switch {
		case r.Task == "":
			return lineErrorf(`"after" names a task without a name`)
		case r.K < 1:
			return lineErrorf(`"after" names event %d of task %q, but events are counted from 1`, r.K, r.Task)
		case r.Task == e.Task && r.K == k:
			return lineErrorf(`"after" names the event itself, event %d of task %q`, k, e.Task)
		case r.Task == e.Task && r.K > k:
			return lineErrorf(`"after" names event %d of task %q, `+
				`which comes after this event %d of the same task: a cycle`, r.K, r.Task, k)
		}
	}
	for _, r := range e.With {
		switch {
		case r.Task == "":
			return lineErrorf(`"with" names a task without a name`)
		case r.K < 1:
			return lineErrorf(`"with" names event %d of task %q, but events are counted from 1`, r.K, r.Task)
		case r.Task == e.Task && r.K == k:
			return lineErrorf(`"with" names the event itself, event %d of task %q`, k, e.Task)
		case r.Task == e.Task:
			return lineErrorf("joint action of two events of task %q", r.Task)
		}
	}
	return checkJoint(e)
}

// checkJoint compares the sides of a joint action with each other and with the action's causes.
func checkJoint(e *Event) error {
	if len(e.With) == 0 {
		return nil
	}
	sides := sideLookup(e.With)
	for _, r := range e.With {
		if k, _ := sides(r.Task); k != r.K {
			return lineErrorf("joint action of two events of task %q", r.Task)
		}
	}
	for _, r := range e.After {
		switch k, ok := sides(r.Task); {
		case ok && r.K == k:
			return lineErrorf(`"after" names event %d of task %q, another side of the same joint action`, r.K, r.Task)
		case ok && r.K > k:
			return lineErrorf(`"after" names event %d of task %q, `+
				`which comes after that task's side of the joint action: a cycle`, r.K, r.Task)
		}
	}
	return nil
}

// sideLookup returns a function that finds the first event of a task among refs.
func sideLookup(refs []Ref) func(task string) (int, bool) {
	if len(refs) <= fewNames {
		return func(task string) (int, bool) {
			for _, r := range refs {
				if r.Task == task {
					return r.K, true
				}
			}
			return 0, false
		}
	}
	byTask := make(map[string]int, len(refs))
	for _, r := range refs {
		if _, ok := byTask[r.Task]; !ok {
			byTask[r.Task] = r.K
		}
	}
	return func(task string) (int, bool) {
		k, ok := byTask[task]
		return k, ok
	}
}
