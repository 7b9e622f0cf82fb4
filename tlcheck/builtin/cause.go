package builtin

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/deadlock"
	"github.com/antichain-go/antichain/tracer/op"
)

// byCause makes findings with the same cause one, with the others in Also: the best known of those that were not told before.
func byCause(names op.Names, all []Finding) []Finding {
	causes := make([]string, len(all)) // "": not known
	heads := map[string]int{}
	for i := range all {
		if all[i].cause != 0 {
			causes[i] = callsTo(names, all[i].cause)
		}
		if head, ok := heads[causes[i]]; causes[i] != "" && (!ok || isBetter(&all[i], &all[head])) {
			heads[causes[i]] = i
		}
	}
	isHead := func(i int) bool { return causes[i] == "" || heads[causes[i]] == i }
	for i := range all {
		if !isHead(i) {
			head := &all[heads[causes[i]]]
			head.Also = append(head.Also, all[i])
		}
	}
	var found []Finding
	for i := range all {
		if isHead(i) {
			found = append(found, all[i])
		}
	}
	return found
}

// callsTo tells how a program came to a place: which function forgets a lock, if a method of all of them takes it.
func callsTo(names op.Names, at op.Place) string {
	l := names.Place(at)
	calls := []string{l.At}
	for _, f := range l.Stack {
		calls = append(calls, f.At)
	}
	return strings.Join(calls, " ")
}

// isBetter reports whether the one is to be told with the other in Also.
func isBetter(one, other *Finding) bool {
	if one.Told != other.Told {
		return other.Told
	}
	return one.How < other.How
}

// causeOf returns where a lock was taken with which a party of the cycle has ended, 0 if none has.
func causeOf(c *deadlock.Cycle) op.Place {
	for i := range c.Parties {
		if last := &c.Parties[i]; last.Kind == op.End {
			wanted := c.Parties[(i+len(c.Parties)-1)%len(c.Parties)].Object
			for _, h := range last.Held {
				if h.Object == wanted {
					return h.At
				}
			}
		}
	}
	return 0
}

// causeOf returns where a lock was taken that a task waits for, if that is never given back since the task that took it has
// ended; else 0.
func (d *stuckDetector) causeOf(b *block) op.Place {
	if b.kind != op.Lock && b.kind != op.RLock {
		return 0
	}
	t := d.thing(b.object)
	for _, h := range t.holders() {
		if d.over(h.task) {
			return h.at
		}
	}
	return 0
}

// holders returns who is in sections of the lock.
func (t *thing) holders() []holder {
	all := slices.Clone(t.readers)
	if t.writer.kind == op.Lock {
		all = append(all, t.writer)
	}
	return all
}
