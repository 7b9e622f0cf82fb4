package report

import (
	"testing"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// stacks are names in which every place has one stack.
type stacks struct {
	bank
	frame op.Frame
}

func (s stacks) Place(op.Place) op.Location {
	return op.Location{At: s.frame.At, Stack: []op.Frame{s.frame}}
}

// A baseline that names an escaped import path, as earlier releases wrote it, recognises what is
// found.
func TestFingerprintOfEscapedPath(t *testing.T) {
	print := func(f op.Frame) string {
		f.At = "a.go:1"
		return Fingerprint(&tlcheck.Result{Builtin: builtin.Stuck, Names: stacks{frame: f}, Finding: &builtin.Finding{
			Property: builtin.Stuck, Parties: []builtin.Party{{Task: 1, Kind: op.Recv, At: 1}},
		}}, Source{})
	}
	before := print(op.Frame{Function: "log%2ev2.f"})
	if now := print(op.Frame{Function: "log.v2.f", Symbol: "log%2ev2.f"}); now != before {
		t.Errorf("%s, before %s", now, before)
	}
	if other := print(op.Frame{Function: "log.v2.f"}); other == before {
		t.Error("the function does not matter")
	}
}
