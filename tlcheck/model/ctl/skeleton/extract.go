package skeleton

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// Model is a system with atoms whose states are all known, from which skeletons are extracted.
type Model interface {
	kripke.System
	AllAtoms() []string
}

// extraction divides a model into processes.
type extraction struct {
	model Model
	atoms []string
	moves [][]kripke.Move // of each state
	truth [][]int         // of each state, the values of the atoms
	owner []int           // of each atom, the only process whose moves change it, or Shared
	// of each state, its number among those with equal atoms, from 1; 0 if it is the only one
	twin  []int
	twins int // the largest number

	names []string // of the processes
}

// Extract makes skeletons of a model, whose processes get these names. The initial state is the
// first one of the model.
func Extract(ctx context.Context, m Model, names []string) (*Skeletons, error) {
	x := &extraction{model: m, atoms: m.AllAtoms(), names: names}
	for s := range kripke.State(m.States()) {
		moves, err := m.Moves(nil, s)
		if err != nil {
			return nil, err
		}
		x.moves = append(x.moves, moves)
		values := make([]int, len(x.atoms))
		for i, name := range x.atoms {
			a, err := m.Atom(name)
			if err != nil {
				return nil, err
			}
			if m.Holds(a, s) {
				values[i] = 1
			}
		}
		x.truth = append(x.truth, values)
	}
	x.findOwners()
	x.findTwins()
	sk := x.skeletons(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return sk, nil
}

func (x *extraction) findOwners() {
	const nobodyYet = -2
	x.owner = slices.Repeat([]int{nobodyYet}, len(x.atoms))
	for s, moves := range x.moves {
		for _, m := range moves {
			for i := range x.atoms {
				switch p := int(m.Process); {
				case x.truth[s][i] == x.truth[m.To][i] || x.owner[i] == p:
				case x.owner[i] == nobodyYet:
					x.owner[i] = p
				default:
					x.owner[i] = Shared
				}
			}
		}
	}
	for i, p := range x.owner {
		if p == nobodyYet {
			x.owner[i] = Shared
		}
	}
}

func (x *extraction) findTwins() {
	count := map[string]int{}
	for _, values := range x.truth {
		count[fmt.Sprint(values)]++
	}
	seen := map[string]int{}
	x.twin = make([]int, len(x.truth))
	for s, values := range x.truth {
		if key := fmt.Sprint(values); count[key] > 1 {
			seen[key]++
			x.twin[s] = seen[key]
			x.twins = max(x.twins, seen[key])
		}
	}
}

// turn is the name of the auxiliary variable.
func (x *extraction) turn() string {
	name := "turn"
	for slices.Contains(x.atoms, name) {
		name += "_"
	}
	return name
}

func (x *extraction) skeletons(ctx context.Context) *Skeletons {
	sk := &Skeletons{}
	for i, name := range x.atoms {
		sk.Variables = append(sk.Variables, Variable{name, x.owner[i], 0, 1, x.truth[0][i]})
	}
	if x.twins > 0 {
		sk.Variables = append(sk.Variables, Variable{x.turn(), Shared, 1, x.twins, max(1, x.twin[0])})
	}
	for p, name := range x.names {
		sk.Processes = append(sk.Processes, x.process(ctx, p, name))
	}
	return sk
}

// process makes the skeleton of a process. It stops early if the context ends.
func (x *extraction) process(ctx context.Context, p int, name string) Process {
	r := Process{Name: name}
	regions := map[string]int{}
	region := make([]int, len(x.truth)) // of each state
	for s := range x.truth {
		atoms := x.region(p, s)
		key := strings.Join(atoms, " ")
		n, ok := regions[key]
		if !ok {
			n = len(r.Regions)
			regions[key] = n
			r.Regions = append(r.Regions, Region{r.unused(strings.Join(atoms, "_")), atoms})
		}
		region[s] = n
	}
	g := &guards{extraction: x, process: p, region: region}
	r.Arcs = g.arcs(ctx)
	return r
}

// region returns the atoms of a process that are true in a state.
func (x *extraction) region(p, s int) []string {
	var atoms []string
	for i, name := range x.atoms {
		if x.owner[i] == p && x.truth[s][i] == 1 {
			atoms = append(atoms, name)
		}
	}
	return atoms
}

// unused returns a name for a region that no other region has.
func (r *Process) unused(name string) string {
	if name == "" {
		name = "none"
	}
	for slices.ContainsFunc(r.Regions, func(other Region) bool { return other.Name == name }) {
		name += "_"
	}
	return name
}
