package poset

import (
	"encoding/binary"
	"math/bits"
	"sort"

	"github.com/antichain-go/antichain/san"
)

// MaxRoles is the most roles that there can be.
const MaxRoles = 6

// RoleSets is a set of sets of roles: bit s stands for the set that has role r iff s has bit r.
type RoleSets uint64

// Roles says which roles a task can play, by its local state.
type Roles struct {
	Number int
	Of     [][]RoleStretch // by task, ascending, the first one from the task's first local state on
}

// RoleStretch are local states of a task, up to where the next stretch begins. In them the task can play exactly the roles of each of the sets;
// without the empty set it has to play a role, and without any set there is no assignment of roles.
type RoleStretch struct {
	From int // number of a local state; -1 stands for the ideals in which the task is not created
	Sets RoleSets
}

// nobody stands for a task that can play no role.
const nobody RoleSets = 1

// taskRoles are the roles of the tasks of a net.
type taskRoles struct {
	Roles
	p *Poset

	// spawned are, by element, the tasks that it creates whose roles tell whether they are created. Such an element has a side for each of them, as if
	// it was their event 0.
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

// counts is how many counts a sum has.
func (r *taskRoles) counts() int {
	if r == nil {
		return 1
	}
	return 1 << r.Number
}

// of returns the sum of a task that can play each of these sets of roles.
func (r *taskRoles) of(sets RoleSets) sum {
	s := newSum(r.counts())
	for i := range s {
		s[i].SetUint64(uint64(sets >> i & 1))
	}
	return s
}

// sides returns the places of an element in the orders of tasks.
func (r *taskRoles) sides(e int32) []san.Action {
	a, spawned := r.p.action[e], r.spawned[e]
	if r.p.net.Joint(a) == nil && spawned == nil {
		return r.p.action[e : e+1]
	}
	sides := r.p.net.Sides(a)
	return append(sides[:len(sides):len(sides)], spawned...)
}

// stretch returns the number of the stretch that a local state is in. What is before the first one counts as this one: whether the
// task is created is no matter then.
func (r *taskRoles) stretch(t san.Task, k int) int {
	all := r.Of[t]
	return max(0, sort.Search(len(all), func(i int) bool { return all[i].From > k })-1)
}

func (r *taskRoles) sets(t san.Task, k int) RoleSets { return r.Of[t][r.stretch(t, k)].Sets }

// terms returns what becomes of the counts of a state if it is decided that a task is in one of its local states from … to.
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

// termsOf returns the terms of a task that is, by set of roles, in so many local states in which it can play exactly these. There may be 3^MaxRoles of
// them, more than there is memory for at each node; but most nodes have the terms of others.
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

// sameCount are terms that leave a single count as it is.
var sameCount = []term{{0, 0, 1}}

// same are terms that leave all counts as they are: those of a task that plays no role in its one local state.
func (s *sweep) same() []term {
	if s.roles == nil {
		return sameCount
	}
	times := make([]uint64, s.roles.counts())
	times[0] = 1
	return s.roles.termsOf(times)
}

// terms returns what becomes of the counts of a state if the node is in the ideal, and if it is the first of its chain that is not, or
// not all of a run. Then it is known where in the chain the ideal ends, as it is if the ideal has the last node.
func (s *sweep) terms(n *node, last bool) (with, without []term) {
	if n.hub {
		return s.same(), s.same()
	}
	if s.roles == nil {
		return s.same(), []term{{0, 0, uint64(n.length)}} // of a run any number but all
	}
	t, before, end := n.first.Task, int(n.first.K)-1, int(n.first.K)+int(n.length)-1
	with = s.same()
	if last {
		with = s.roles.terms(t, end, end)
	}
	return with, s.roles.terms(t, before, end-1)
}
