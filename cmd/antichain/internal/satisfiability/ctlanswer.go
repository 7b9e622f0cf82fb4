package satisfiability

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/tlcheck/model/ctl/skeleton"
)

// ctlAnswer is an answer in JSON.
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
