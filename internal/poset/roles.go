package poset

import (
	"encoding/binary"
	"math/bits"
	"sort"

	"github.com/antichain-go/antichain/san"
)

// MaxRoles is the greatest number of roles.
const MaxRoles = 6

// RoleSets is a set of sets of roles: bit s stands for the set that has role r iff s has bit r.
type RoleSets uint64

// Roles says which roles each task can play in which of its local states.
type Roles struct {
	Number int
	// by task, in ascending order; the first one begins at or before the task's first local state
	Of [][]RoleStretch
}

// RoleStretch is a range of local states of a task, up to the next stretch. There the task plays
// the roles of one of the sets, and no others. It must play a role if the empty set is not among
// them. If there is no set, there is no assignment.
type RoleStretch struct {
	From int // number of a local state; -1 for the ideals in which the task is not created
	Sets RoleSets
}

// noRole is for a task that can play no role.
const noRole RoleSets = 1

// taskRoles are the roles of the tasks of a net.
type taskRoles struct {
	Roles
	p *Poset

	// spawned are, by element, the tasks that it creates and whose roles depend on whether they are
	// created. Such an element has a side for each of them, as if it were their event 0.
	spawned map[int32][]san.Action

	known map[string][]term // by times, see termsOf
}

func newTaskRoles(p *Poset, roles Roles) *taskRoles {
	r := &taskRoles{Roles: roles, p: p, spawned: map[int32][]san.Action{}, known: map[string][]term{}}
	for t := range san.Task(p.net.Tasks()) {
		if a, ok := p.net.SpawnedBy(t); ok && r.sets(t, -1) != r.sets(t, 0) {
			e := p.element(a)
			r.spawned[e] = append(r.spawned[e], san.Action{Task: t})
		}
	}
	return r
}

// counts is the number of counts of a sum.
func (r *taskRoles) counts() int {
	if r == nil {
		return 1
	}
	return 1 << r.Number
}

// of returns the sum of a task that can play the roles of any one of these sets.
func (r *taskRoles) of(sets RoleSets) sum {
	s := newSum(r.counts())
	for i := range s {
		s[i].SetUint64(uint64(sets >> i & 1))
	}
	return s
}

// sides returns the positions of an element in the orders of tasks.
func (r *taskRoles) sides(e int32) []san.Action {
	a, spawned := r.p.action[e], r.spawned[e]
	if r.p.net.Joint(a) == nil && spawned == nil {
		return r.p.action[e : e+1]
	}
	sides := r.p.net.Sides(a)
	return append(sides[:len(sides):len(sides)], spawned...)
}

// stretch returns the index of the stretch of a local state. Local states before the first stretch
// belong to it, since then the creation of the task does not matter.
func (r *taskRoles) stretch(t san.Task, k int) int {
	all := r.Of[t]
	return max(0, sort.Search(len(all), func(i int) bool { return all[i].From > k })-1)
}

func (r *taskRoles) sets(t san.Task, k int) RoleSets { return r.Of[t][r.stretch(t, k)].Sets }

// terms returns the terms for the decision that a task is in a local state of a range.
func (r *taskRoles) terms(t san.Task, from, to int) []term {
	times := make([]uint64, r.counts()) // by set of roles
	all := r.Of[t]
	for i := r.stretch(t, from); i < len(all) && all[i].From <= to; i++ {
		end := to
		if i+1 < len(all) {
			end = min(to, all[i+1].From-1)
		}
		states := uint64(end - max(from, all[i].From) + 1)
		for sets := uint64(all[i].Sets); sets != 0; sets &= sets - 1 {
			times[bits.TrailingZeros64(sets)] += states
		}
	}
	return r.termsOf(times)
}

// termsOf returns the terms of a task. times has, for each set of roles, the number of local states
// in which the task can play exactly these. There may be 3^MaxRoles terms, too many to store at
// each node, but most nodes share them.
func (r *taskRoles) termsOf(times []uint64) []term {
	var key []byte
	for _, n := range times {
		key = binary.AppendUvarint(key, n)
	}
	terms, ok := r.known[string(key)]
	if ok {
		return terms
	}
	for roles, n := range times {
		if n == 0 {
			continue
		}
		for others := range times {
			if roles&others == 0 {
				terms = append(terms, term{int32(others), int32(roles | others), n})
			}
		}
	}
	r.known[string(key)] = terms
	return terms
}

// sameCount are the terms that keep a single count.
var sameCount = []term{{0, 0, 1}}

// same are the terms that keep all counts: those of a task that plays no role in its only local
// state.
func (s *sweep) same() []term {
	if s.roles == nil {
		return sameCount
	}
	times := make([]uint64, s.roles.counts())
	times[0] = 1
	return s.roles.termsOf(times)
}

// terms returns the terms if the node is in the ideal, and if it is the first of its chain that is
// not, or not all of a run. The second case, and the last node of a chain, determine where in the
// chain the ideal ends.
func (s *sweep) terms(n *node, last bool) (with, without []term) {
	if n.hub {
		return s.same(), s.same()
	}
	if s.roles == nil {
		return s.same(), []term{{0, 0, uint64(n.length)}} // of a run, any number but all
	}
	t, before, end := n.first.Task, int(n.first.K)-1, int(n.first.K)+int(n.length)-1
	with = s.same()
	if last {
		with = s.roles.terms(t, end, end)
	}
	return with, s.roles.terms(t, before, end-1)
}
