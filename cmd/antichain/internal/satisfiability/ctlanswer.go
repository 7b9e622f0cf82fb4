package satisfiability

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/skeleton"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/tableau"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

type ctlAnswer struct {
	batch.Header
	Sat       bool              `json:"sat"`
	Model     *structureModel   `json:"model,omitempty"`
	Skeletons []*skeletonObject `json:"skeletons,omitempty"`
	Program   string            `json:"program,omitempty"`
	Reason    []string          `json:"reason,omitempty"`
}

func newCTLAnswer(found *skeleton.Synthesis) *ctlAnswer {
	if found.Model == nil {
		return &ctlAnswer{Reason: found.Why}
	}
	a := &ctlAnswer{Sat: true, Model: newStructureModel(found.Model)}
	if found.Skeletons != nil {
		a.Skeletons, a.Program = newSkeletonObjects(found.Skeletons), found.Skeletons.Program()
	}
	return a
}

type structureModel struct {
	States int                          `json:"states"`
	Start  kripke.State                 `json:"start"`
	Labels [][]string                   `json:"labels"`
	Trans  map[string][][2]kripke.State `json:"trans"`
}

func newStructureModel(m *tableau.Model) *structureModel {
	x := &structureModel{States: m.States(), Start: m.Initial()[0], Trans: map[string][][2]kripke.State{}}
	for _, p := range m.Processes() {
		x.Trans[p] = [][2]kripke.State{}
	}
	for s := range kripke.State(m.States()) {
		x.Labels = append(x.Labels, m.Atoms(s))
		moves, err := m.Moves(nil, s)
		if err != nil {
			panic(err) // a model knows its moves
		}
		for _, move := range moves {
			p := m.Processes()[move.Process]
			x.Trans[p] = append(x.Trans[p], [2]kripke.State{s, move.To})
		}
	}
	return x
}

type skeletonObject struct {
	Process string      `json:"process"`
	Regions []string    `json:"regions"` // the process begins in the first one
	Arcs    []arcObject `json:"arcs"`
}

// arcObject is an arc from region to region.
type arcObject struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Guard string `json:"guard"`
	// assignments to variables that do not belong to the process
	Set map[string]int `json:"set,omitempty"`
}

func newSkeletonObjects(sk *skeleton.Skeletons) []*skeletonObject {
	var objects []*skeletonObject
	for _, p := range sk.Processes {
		o := &skeletonObject{Process: p.Name, Arcs: []arcObject{}}
		for _, r := range p.Regions {
			o.Regions = append(o.Regions, r.Name)
		}
		for _, a := range p.Arcs {
			arc := arcObject{From: p.Regions[a.From].Name, To: p.Regions[a.To].Name, Guard: skeleton.GuardText(a.Guard)}
			for _, l := range a.Set {
				if arc.Set == nil {
					arc.Set = map[string]int{}
				}
				arc.Set[l.Variable] = l.Value
			}
			o.Arcs = append(o.Arcs, arc)
		}
		objects = append(objects, o)
	}
	return objects
}
