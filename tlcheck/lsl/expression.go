package lsl

import (
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// MaxCombinations limits the combinations of values of shared variables that are tried for one
// expression in one local state. The truth of an expression with more is unknown.
const MaxCombinations = 1 << 18

// test is an expression in the place of a local formula.
type test struct {
	src   *spec.Test
	eval  expr
	names []string   // of the variables, dotted
	paths []san.Path // of the variables
	vars  []binding  // buffer: the variables in the present state

	known bool   // it was true or false in some local state
	seen  []bool // until known: the variables that were visible in some local state
	// why evaluation failed in a state with all variables visible; the least of several reasons
	reason string
}

func (c *compiler) variable(e *spec.Var, t *test, index map[string]int) expr {
	name, path := strings.Join(e.Path, "."), c.net.Path
	if c.previous {
		name, path = spec.Prev+"("+name+")", c.net.PreviousPath
	}
	i, ok := index[name]
	if !ok {
		i = len(t.paths)
		index[name] = i
		t.names = append(t.names, name)
		t.paths = append(t.paths, path(e.Path))
	}
	return func(vars []binding) (event.Value, *fault) {
		b := &vars[i]
		v := b.Values[b.pick]
		for _, f := range b.Rest {
			var err error
			if v, err = field(v, f); err != nil {
				return v, faultOf(e, err)
			}
		}
		if why, ok := unrecorded(v); ok {
			return v, &fault{pos: e.Pos, expr: e, reason: name + " was not recorded (" + why + ")", unseen: true}
		}
		return v, nil
	}
}

// unrecorded returns the reason if v stands for a value that the tracer could not read, behind a
// nil pointer for example: the object {"?": reason}.
func unrecorded(v event.Value) (why string, ok bool) {
	if v.Kind() != event.Object || len(v.Fields()) != 1 {
		return "", false
	}
	f := v.Fields()[0]
	if f.Name != "?" || f.Value.Kind() != event.String {
		return "", false
	}
	return f.Value.Str(), true
}

// truth is that of Frey 1996, §4. It is undefined if a variable is not visible; otherwise it is
// true if the expression is true for all combinations of values, and false if it is false for one.
// A combination without a boolean value makes it undefined, whatever the others give.
func (n *test) truth(s *san.State, log *Log) Truth {
	if !n.lookUp(s) {
		return Undefined
	}
	groups, combinations := n.groups()
	if combinations > MaxCombinations {
		log.giveUp(fmt.Sprintf("an expression has more than %d combinations of the values of its shared variables",
			MaxCombinations))
		return Undefined
	}
	result := True
	for {
		v, f := n.eval(n.vars)
		if f == nil && v.Kind() != event.Bool {
			f = &fault{pos: n.src.Position(), expr: n.src.X, reason: "gives " + nameOf(v) + ", not a boolean"}
		}
		if f != nil {
			if n.reason == "" || f.reason < n.reason {
				n.reason = f.reason
			}
			log.count(f)
			return Undefined
		}
		if !v.Bool() {
			result = False
		}
		if !n.advance(groups) {
			n.known = true
			return result
		}
	}
}

// lookUp resolves the variables in s. It reports false if one is not visible.
func (n *test) lookUp(s *san.State) bool {
	all := true
	for i, p := range n.paths {
		v := s.Lookup(p)
		if v.Visible() {
			n.vars[i], n.seen[i] = binding{Variable: v}, true
		} else if all = false; n.known {
			break
		}
	}
	return all
}

// groups returns the variables with several values, and the number of combinations, or one above
// the limit. Names of the same variable form a group: b.first and b.last are fields of one b and
// change with it.
func (n *test) groups() (groups [][]int, combinations int) {
	combinations = 1
	for i := range n.vars {
		v := &n.vars[i]
		if len(v.Values) == 1 {
			continue
		}
		at := -1
		for g := range groups {
			if w := &n.vars[groups[g][0]]; w.Scope == v.Scope && w.Key == v.Key {
				at = g
			}
		}
		if at >= 0 {
			groups[at] = append(groups[at], i)
			continue
		}
		groups = append(groups, []int{i})
		combinations = min(combinations*len(v.Values), MaxCombinations+1)
	}
	return groups, combinations
}

// advance picks the next combination. It reports false after the last.
func (n *test) advance(groups [][]int) bool {
	for _, g := range groups {
		pick := n.vars[g[0]].pick + 1
		carry := pick == len(n.vars[g[0]].Values)
		if carry {
			pick = 0
		}
		for _, i := range g {
			n.vars[i].pick = pick
		}
		if !carry {
			return true
		}
	}
	return false
}
