package san

import (
	"fmt"
	"math"
	stdslices "slices"

	"github.com/antichain-go/antichain/tracer/event"
)

// read checks and stores an event, and schedules every event that can be scheduled now.
func (b *Builder) read(e *event.Event) *Error {
	if err := b.check(e); err != nil {
		return err
	}
	h := b.task(e.Task)
	if err := b.checkTask(h, e); err != nil {
		return err
	}
	b.seq++
	k := b.store(h, e)
	if len(e.With) > 0 || len(b.groups) > 0 {
		if err := b.unite(ref{h, k}, e); err != nil {
			return err
		}
	}
	r := &b.readers[h]
	behind := r.halted
	if behind {
		r.queue = append(r.queue, waiter{b.position(), b.seq})
	} else {
		b.run(h)
		r = &b.readers[h]
		if b.n.handles[h].done < k {
			r.queue = append(r.queue, waiter{b.position(), b.seq})
		}
	}
	if b.broken != nil {
		return b.broken
	}
	return b.checkWaiting(ref{h, k}, e)
}

// position returns the position of the event being read.
func (b *Builder) position() string {
	if b.source != nil {
		return b.source.Pos()
	}
	return b.pos
}

func (b *Builder) fault(kind ErrorKind, format string, args ...any) *Error {
	return &Error{kind, b.position(), fmt.Sprintf(format, args...)}
}

// check finds faults of the event by itself.
func (b *Builder) check(e *event.Event) *Error {
	if e.Task == "" {
		return b.fault(BadEvent, `an event without a task; name it in "t"`)
	}
	if e.Enter != "" && e.Exit != "" {
		return b.fault(BadEvent, `"enter" and "exit" in one event; write two events`)
	}
	if name, ok := commonName(e.Set, e.Global); ok {
		return b.fault(BadEvent, `variable %q stands in "set" and in "global" of one event`, name)
	}
	for _, refs := range [2][]event.Ref{e.After, e.With} {
		for _, r := range refs {
			if r.Task == "" {
				return b.fault(BadEvent, "a reference to a task without a name")
			}
			if r.K < 1 {
				return b.fault(BadEvent, "a reference to event %d of task %q; events are counted from 1", r.K, r.Task)
			}
			if r.K > math.MaxInt32 {
				return b.fault(TooLarge, "a reference to event %d of task %q; a task has at most %d events at a time",
					int64(r.K)+b.skipped(r.Task), r.Task, math.MaxInt32)
			}
		}
	}
	for i := range e.Write {
		if v := b.n.vars.find(e.Write[i].Name); v >= 0 {
			if _, ok := b.n.sharedOf[uint32(v)]; ok {
				continue
			}
		}
		return b.fault(UndeclaredShare,
			`write to %q, which is not a shared variable; declare it in "shared" of the header`, e.Write[i].Name)
	}
	return nil
}

// commonName returns a name that is in both lists.
func commonName(a, b []event.Binding) (string, bool) {
	if len(a)*len(b) <= 64 {
		for i := range a {
			for j := range b {
				if a[i].Name == b[j].Name {
					return a[i].Name, true
				}
			}
		}
		return "", false
	}
	names := make(map[string]bool, len(a))
	for i := range a {
		names[a[i].Name] = true
	}
	for i := range b {
		if names[b[i].Name] {
			return b[i].Name, true
		}
	}
	return "", false
}

// checkTask finds faults of the event as the next one of its task.
func (b *Builder) checkTask(h handle, e *event.Event) *Error {
	t := b.n.handles[h]
	if t.ended {
		return b.fault(EventAfterEnd, "task %q has ended with its event %d", t.name, b.lastRead(h))
	}
	if len(t.records) == math.MaxInt32 || len(t.words) > maxWords/2 {
		return b.fault(TooLarge, "task %q has more events or values than one task can have", t.name)
	}
	if len(b.n.clocks.chunks) > maxChunks {
		return b.fault(TooLarge, "the trace has more events that come after others than one can have")
	}
	k := len(t.records) + 1
	if e.Exit != "" {
		if reason := b.exitMismatch(h, e.Exit); reason != "" {
			return b.fault(ExitMismatch, "task %q, event %d: exit of %q, but %s", t.name, b.number(h, int32(k)), e.Exit,
				reason)
		}
	}
	if e.Spawn != "" {
		if c := b.n.handles[b.task(e.Spawn)]; c.initial && c.start == nil {
			return b.fault(TaskTwice, "task %q is created, but it is an initial task", c.name)
		} else if c.initial {
			return b.fault(TaskTwice, "task %q is created again; task %q has created it", c.name, c.start.creator)
		} else if c.spawner.k > 0 {
			return b.fault(TaskTwice, "task %q is created again; event %d of task %q has created it", c.name,
				b.number(c.spawner.h, c.spawner.k), b.n.handles[c.spawner.h].name)
		}
	}
	for _, r := range e.After {
		if r.Task == e.Task && r.K == k {
			return b.fault(BadReference, `"after" names the event itself, event %d of task %q`, b.number(h, int32(k)),
				t.name)
		}
	}
	for _, r := range e.With {
		if r.Task == e.Task && r.K != k {
			return b.fault(BadJoint, "events %d and %d of task %q in one joint action", b.number(h, int32(k)),
				b.number(h, int32(r.K)), t.name)
		}
	}
	for i, refs := range [2][]event.Ref{e.After, e.With} {
		for _, r := range refs {
			c := b.task(r.Task)
			if was := b.n.handles[c]; was.ended && r.K > len(was.records) {
				return b.fault(Dangling, "%q names %s, which has ended with its event %d",
					[2]string{"after", "with"}[i], b.describe(ref{c, int32(r.K)}), b.lastRead(c))
			}
		}
	}
	return nil
}

// exitMismatch says why the function cannot be left now; "" if it can.
func (b *Builder) exitMismatch(h handle, function string) string {
	stack := b.readers[h].stack
	if n := len(stack); n > 0 && stack[n-1].phase == Term {
		stack = stack[:n-1]
	}
	if len(stack) == 0 {
		return "no function is on the stack"
	}
	if top := b.n.strs.strs[stack[len(stack)-1].function]; top != function {
		return fmt.Sprintf("the function on top of the stack is %q", top)
	}
	return ""
}

// store appends the event to its task and returns its k.
func (b *Builder) store(h handle, e *event.Event) int32 {
	n, t := b.n, b.n.handles[h]
	number := b.siteOf(e)
	rec := record{obj: n.str(e.Obj), site: number}
	k := int32(len(t.records) + 1)
	if e.Spawn != "" || len(e.After)+len(e.Set)+len(e.Global)+len(e.Write) > 0 {
		rec.more = uint32(len(t.words) + 1)
		b.storeWords(h, k, e)
	}
	if t.records == nil {
		t.records = make([]record, 0, 4)
	}
	t.records = append(t.records, rec)
	t.ended = e.Op == "end"
	r := &b.readers[h]
	r.apply(n.sites[number])
	r.avail++
	b.waiting++
	return k
}

// siteOf returns the number of an event's site. Most events share the site of a recent one, so a
// cache comes first.
func (b *Builder) siteOf(e *event.Event) uint32 {
	n := b.n
	recent := &b.recent[(recentIndex(e.At)+5*uint(len(e.Op))+3*uint(len(e.Enter))+
		7*uint(len(e.Exit)))%uint(len(b.recent))]
	if int(*recent) < len(n.sites) && n.isAt(n.sites[*recent], e) {
		return *recent
	}
	*recent = b.site(site{op: n.str(e.Op), at: n.str(e.At), enter: n.str(e.Enter), exit: n.str(e.Exit)})
	return *recent
}

// isAt reports whether the site is that of the event.
func (n *Net) isAt(s site, e *event.Event) bool {
	strs := n.strs.strs
	return strs[s.at] == e.At && strs[s.op] == e.Op && strs[s.enter] == e.Enter && strs[s.exit] == e.Exit
}

func (b *Builder) site(s site) uint32 {
	n := b.n
	if b.siteIDs == nil {
		if i := stdslices.Index(n.sites, s); i >= 0 {
			return uint32(i)
		}
	} else if id, ok := b.siteIDs[s]; ok {
		return id
	}
	n.sites = append(n.sites, s)
	id := uint32(len(n.sites) - 1)
	if b.siteIDs != nil {
		b.siteIDs[s] = id
	} else {
		b.numberSites()
	}
	return id
}

// numberSites makes the map of sites once there are many.
func (b *Builder) numberSites() {
	if len(b.n.sites) > fewStrings {
		b.siteIDs = make(map[site]uint32, 2*len(b.n.sites))
		for i, s := range b.n.sites {
			b.siteIDs[s] = uint32(i)
		}
	}
}

// str returns the number of a string of an event. Most of these strings are empty.
func (n *Net) str(s string) uint32 {
	if s == "" {
		return 0
	}
	return n.strs.id(s)
}

// storeWords appends the event's words, in the layout of record.go.
func (b *Builder) storeWords(h handle, k int32, e *event.Event) {
	n, t := b.n, b.n.handles[h]
	start := len(t.words)
	list := 0
	var flags uint32
	words := append(t.words, 0)
	if e.Spawn != "" {
		flags |= hasSpawn
		c := b.task(e.Spawn)
		n.handles[c].spawner = ref{h, k}
		words = append(words, uint32(c))
	}
	if len(e.After) > 0 {
		if flags |= hasCause; len(e.After) > 1 {
			flags ^= hasCause | hasCauses
			words = append(words, uint32(len(e.After)))
		}
		for _, r := range e.After {
			c := b.task(r.Task)
			words = append(words, uint32(c), uint32(r.K))
			b.noteReference(ref{c, int32(r.K)})
		}
	}
	for i, bs := range [...][]event.Binding{e.Set, e.Global, e.Write} {
		if len(bs) > 0 {
			flags |= hasSet << i
			list = len(words)
			words = n.addBindings(words, bs)
		}
	}
	words[start] = flags
	t.words = words
	if len(e.Write) > 0 && !n.hasForgotten {
		n.addWrites(h, k, uint32(list))
	}
}

// apply applies the event at s to the stack.
func (r *reader) apply(s site) {
	if n := len(r.stack); n > 0 && r.stack[n-1].phase == Term {
		r.stack = r.stack[:n-1]
	}
	if n := len(r.stack); n > 0 && r.stack[n-1].phase == Start {
		r.stack[n-1].phase = In
	}
	if s.enter != 0 {
		r.stack = append(r.stack, call{s.enter, Start})
	}
	if s.exit != 0 {
		r.stack[len(r.stack)-1].phase = Term
	}
}
