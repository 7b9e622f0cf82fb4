package tlcheck

import (
	stdslices "slices"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
)

// representatives returns the tasks with which TIVs must be tried, in order. Tasks for which every
// atom yields the same, no slice or all slices, are exchangeable. Of each such class as many stay
// as there are slots, because conditions can distinguish at most that many. The first ones stay,
// which preserves the first TIVA.
func representatives(b slices.Budget, f *formula.Formula, atoms *atomTable) ([]san.Task, error) {
	net := atoms.net
	leaves, callers := leavesOf(f)
	var tasks []san.Task
	members := map[string]int{}
	for task := range san.Task(net.Tasks()) {
		if err := b.Err(); err != nil {
			return nil, err
		}
		class, own := "", true
		if !callers {
			class, own = signature(leaves, atoms, task)
		}
		if !own {
			members[class]++
		}
		if own || members[class] <= max(f.Slots, 1) {
			tasks = append(tasks, task)
		}
	}
	return tasks, nil
}

// leavesOf returns the nodes of atoms, and whether some condition asks which task created another.
func leavesOf(f *formula.Formula) (leaves []*formula.Node, callers bool) {
	for _, n := range f.Nodes {
		if n.Kind == formula.Atom {
			leaves = append(leaves, n)
		}
		callers = callers || stdslices.ContainsFunc(n.Conds, func(c formula.Cond) bool { return c.Caller })
	}
	return leaves, callers
}

// signature describes the atoms' values for the task; own reports that the task is in no class.
func signature(leaves []*formula.Node, atoms *atomTable, task san.Task) (class string, own bool) {
	var sig []byte
	for _, l := range leaves {
		r := atoms.reach(l, task)
		if r == reachSome {
			return "", true
		}
		sig = append(sig, byte(r))
	}
	return string(sig), false
}
