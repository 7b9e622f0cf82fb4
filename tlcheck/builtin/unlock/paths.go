package unlock

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
)

// paths are the ways from a Lock to an Unlock that the run has shown.
type paths struct {
	names op.Names
	lines map[string]*line
	found map[op.Place]candidate.Mark
}

// line is a line of source in which critical sections begin.
type line struct {
	ways  []way
	most  int  // calls of a way
	vague bool // another task has ended such a section, or a way is not known
}

// way is how a task came from a Lock to the Unlock: by way of the function that has called both,
// directly or not.
type way struct {
	calls []op.Frame // from the Lock to that function
	end   candidate.Mark
}

// paths returns the ways of the sections that the run has shown, in the order of their places.
func (k *kept) paths(names op.Names) *paths {
	all := &paths{names, map[string]*line{}, map[op.Place]candidate.Mark{}}
	waits := map[string]bool{}
	for at := range k.waits {
		waits[names.Place(at).At] = true
	}
	for at := range k.lent {
		all.line(at).vague = true
	}
	inOrder := func(a, b section) int {
		return cmp.Or(cmp.Compare(a.begin.At, b.begin.At), cmp.Compare(a.end.At, b.end.At))
	}
	for _, s := range slices.SortedFunc(maps.Values(k.sections), inOrder) {
		if waits[names.Place(s.end.At).At] {
			continue // a Cond locks again
		}
		l, calls := all.line(s.begin.At), all.common(s)
		l.ways = append(l.ways, way{calls, s.end})
		l.most = max(l.most, len(calls))
		l.vague = l.vague || len(calls) == 0
	}
	return all
}

// line returns the line of a place, a new one if there is none.
func (p *paths) line(at op.Place) *line {
	name := p.names.Place(at).At
	l := p.lines[name]
	if l == nil {
		l = new(line)
		p.lines[name] = l
	}
	return l
}

// common returns the calls from the beginning of a section to the function that has called both
// that and the end, none if that is not known.
func (p *paths) common(s section) []op.Frame {
	begin, end := p.names.Place(s.begin.At).Stack, p.names.Place(s.end.At).Stack
	i := slices.IndexFunc(begin, func(f op.Frame) bool {
		return slices.ContainsFunc(end, func(g op.Frame) bool { return isIn(g.Function, f.Function) })
	})
	return begin[:i+1]
}

// isIn reports whether a function is another one, or a part of it: a function literal, or a
// deferred call.
func isIn(part, function string) bool {
	return part == function || strings.HasPrefix(part, function+".")
}

// behind returns the Unlock that ends, on another way, a section that begins at the place; of kind
// None if none is known.
func (p *paths) behind(lock op.Place) candidate.Mark {
	if end, ok := p.found[lock]; ok {
		return end
	}
	l, calls := p.line(lock), p.names.Place(lock).Stack
	var end candidate.Mark
	i := slices.IndexFunc(l.ways, func(w way) bool {
		return len(w.calls) == l.most && l.most <= len(calls) && slices.EqualFunc(w.calls, calls[:l.most], isSame)
	})
	if i >= 0 && !l.vague {
		end = l.ways[i].end
	}
	p.found[lock] = end
	return end
}

// isSame reports whether two calls are in the same line of the same function.
func isSame(a, b op.Frame) bool { return a.At == b.At && a.Function == b.Function }
