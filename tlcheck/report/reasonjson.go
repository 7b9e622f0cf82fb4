package report

import (
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Reason is the truth of a formula with its reasons; see tlcheck.Explanation.
type Reason struct {
	Formula string            `json:"formula"`
	Value   string            `json:"value"`
	TIVA    map[string]string `json:"tiva"`

	// Set if it differs from the slice of the enclosing reason.
	Slice map[string]int64 `json:"slice,omitempty"`
	Path  []Ref            `json:"path,omitempty"`

	Local *Local    `json:"local,omitempty"` // of an atom whose task is created
	Parts []*Reason `json:"parts,omitempty"`
	Now   []*Reason `json:"now,omitempty"`
}

// Local is the truth of a local formula in a local state.
type Local struct {
	Task      string `json:"task,omitempty"` // of an atom
	State     *int   `json:"state,omitempty"`
	Formula   string `json:"formula"`
	Value     string `json:"value"`
	Undefined string `json:"undefined,omitempty"` // why it is undefined
	// their possible values; empty for an invisible one
	Variables map[string][]event.Value `json:"variables,omitempty"`
	Parts     []*Local                 `json:"parts,omitempty"`
}

func (v violation) reasonObject() *Reason {
	if v.Witness.Reason == nil {
		return nil
	}
	return v.reasonOf(v.Witness.Reason)
}

func (v violation) reasonOf(e *tlcheck.Explanation) *Reason {
	r := &Reason{Formula: shortFormula(e.Source), Value: e.Truth.String(), TIVA: tivaObject(v.Net, e.TIVA)}
	if len(e.Path) > 0 {
		r.Slice, r.Path = SliceObject(v.Net, e.Slice), refs(v.Net, e.Path)
	}
	if e.Why != nil {
		r.Local = localObject(e.Why)
		r.Local.Task, r.Local.State = v.Net.Name(e.Task), &e.State
	}
	for _, p := range e.Parts {
		r.Parts = append(r.Parts, v.reasonOf(p))
	}
	for _, p := range e.Here {
		r.Now = append(r.Now, v.reasonOf(p))
	}
	return r
}

func localObject(w *lsl.Explanation) *Local {
	l := &Local{Formula: cut(spec.FormatLocal(w.Source), maxFormula), Value: w.Truth.String(), Undefined: w.Reason}
	for _, looked := range w.Looked {
		if l.Variables == nil {
			l.Variables = map[string][]event.Value{}
		}
		l.Variables[looked.Name] = nonNil(looked.Values)
	}
	for _, p := range w.Parts {
		l.Parts = append(l.Parts, localObject(p))
	}
	return l
}
