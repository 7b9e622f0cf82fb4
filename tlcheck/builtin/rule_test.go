package builtin_test

import (
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/builtin/panics"
	"github.com/antichain-go/antichain/tlcheck/builtin/rule"
	"github.com/antichain-go/antichain/tracer/op"
)

// verbose is a detector that implements all that detectors can.
type verbose struct {
	rule.Progress
	before []rule.Finding
	ops    int
}

func (v *verbose) ObserveProgress(p rule.Progress)        { v.Progress = p }
func (v *verbose) Op(*op.Op)                              { v.ops++ }
func (v *verbose) After(found []rule.Finding)             { v.before = found }
func (v *verbose) Findings(op.Names) []rule.Finding       { return []rule.Finding{{Text: "end"}} }
func (v *verbose) Certain(op.Names) []rule.Finding        { return []rule.Finding{{Text: "soon"}} }
func (v *verbose) Join(all []rule.Finding) []rule.Finding { return all[len(all)-1:] }

// A rule of another module comes behind the built-in ones, and asks for what they ask for.
func TestRuleOfAnotherModule(t *testing.T) {
	v := new(verbose)
	other := &rule.Rule{Name: "other", Kinds: []op.Kind{op.Misuse}, New: func() rule.Detector { return v }}
	checker := builtin.NewChecker(other, panics.Rule)
	for _, o := range []op.Op{
		{Kind: op.Main, K: 1},
		{Kind: op.Go, K: 2, Other: 1},
		{Kind: op.Misuse, K: 1, Task: 1, Arg: int64(op.Panicked), At: 5},
		{Kind: op.End, K: 2, Task: 1},
	} {
		checker.Op(&o)
	}
	if !v.CanContinue(numbers{}) {
		t.Error("main cannot continue")
	}
	checker.Op(&op.Op{Kind: op.Block, K: 3, Want: op.Recv})
	if v.CanContinue(numbers{}) {
		t.Error("main can continue, which waits for ever")
	}
	for _, f := range checker.Certain(numbers{}) {
		if f.Property == "other" && (f.Text != "soon" || f.Count != 1) {
			t.Errorf("certain: %+v", f)
		}
	}
	found := checker.Findings(numbers{})
	if v.ops != 1 || len(v.before) != 1 || v.before[0].Property != builtin.Panic {
		t.Errorf("%d operations, behind %+v", v.ops, v.before)
	}
	if len(found) != 1 || found[0].Property != "other" || found[0].Text != "end" || !found[0].Told {
		t.Errorf("found %+v", found)
	}
}
