package poset

import (
	"context"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// TestAssignments compares the number of assignments of roles with enumeration: of the ideals, and
// of the sets of roles of each task.
func TestAssignments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := draw(t)
		l, g := allSlices(t, net)
		p := New(net)
		for range 3 {
			roles := drawRoles(t, net)
			want := int64(0)
			for n := range g.Len() {
				want += assignments(l, g.Slice(n), roles, 0, 1<<roles.Number-1)
			}
			if n, ok := p.Assignments(context.Background(), roles); !ok || n.Int64() != want {
				t.Fatalf("%v assignments (found %v) of %v, not %d", n, ok, roles, want)
			}
		}
	})
}

func drawRoles(t *rapid.T, net *san.Net) Roles {
	roles := Roles{Number: rapid.IntRange(0, 3).Draw(t, "roles")}
	few := rapid.Bool().Draw(t, "few")
	for task := range san.Task(net.Tasks()) {
		from := 0
		if _, ok := net.SpawnedBy(task); ok {
			from = -1
		}
		var all []RoleStretch
		for ; from <= net.Len(task); from += rapid.IntRange(1, 4).Draw(t, "states") {
			sets := rapid.Uint64Range(0, 1<<(1<<roles.Number)-1).Draw(t, "sets")
			if few {
				sets |= 1
			}
			all = append(all, RoleStretch{from, RoleSets(sets)})
		}
		roles.Of = append(roles.Of, all)
	}
	return roles
}

// assignments counts how the tasks from t on can play the roles that are left.
func assignments(l *slices.Lattice, i slices.Ideal, roles Roles, t san.Task, left uint64) int64 {
	if int(t) == l.Net().Tasks() {
		if left == 0 {
			return 1
		}
		return 0
	}
	state := i.At(t)
	if !l.Created(i, t) {
		state = -1
	}
	var sets RoleSets
	for _, s := range roles.Of[t] {
		if s.From <= state {
			sets = s.Sets
		}
	}
	n := int64(0)
	for part := left; ; part = (part - 1) & left {
		if sets>>part&1 != 0 {
			n += assignments(l, i, roles, t+1, left&^part)
		}
		if part == 0 {
			return n
		}
	}
}

// If every task can play any role, there are as many assignments for each ideal as choices of
// tasks.
func TestManyAssignments(t *testing.T) {
	const tasks, events, number = 30, 50, 3
	for _, from := range []pattern{alone, ring, tree} {
		p := New(net(t, tasks, events, from))
		roles := Roles{Number: number}
		for range tasks {
			roles.Of = append(roles.Of, []RoleStretch{{0, 1<<(1<<number) - 1}})
		}
		want := new(big.Int).Mul(p.Ideals(context.Background()).Min, big.NewInt(tasks*tasks*tasks))
		if n, ok := p.Assignments(context.Background(), roles); !ok || n.Cmp(want) != 0 {
			t.Errorf("%v assignments, not %v", n, want)
		}
	}
}

// Without time nothing is said.
func TestAssignmentsStopped(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	p := New(net(t, 3, 20, ring))
	if n, ok := p.Assignments(ended, Roles{Of: [][]RoleStretch{{{0, noRole}}, {{0, noRole}}, {{0, noRole}}}}); ok {
		t.Errorf("%v assignments in no time", n)
	}
}

// Terms take memory for few nodes, not for each one: there are 729 of them with six roles that
// every task can play.
func TestTermsAreShared(t *testing.T) {
	const tasks, events = 30, 50
	p := New(net(t, tasks, events, ring))
	roles := Roles{Number: MaxRoles}
	for range tasks {
		roles.Of = append(roles.Of, []RoleStretch{{0, ^RoleSets(0)}})
	}
	s := sweepOf(p, newTaskRoles(p, roles))
	if programs := s.programs(t.Context()); len(programs) != 2 {
		t.Fatalf("%d programs", len(programs))
	}
	if n := len(s.roles.known); n > events+1 {
		t.Errorf("%d lists of terms for %d nodes, want at most one for each length of a run", n, len(s.nodes))
	}
}
