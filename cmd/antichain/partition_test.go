package main

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/onthefly/runs"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tracer/archive"
)

// A state is read by the program whose format it has, and refused by name by every other one.
func TestStateFormat(t *testing.T) {
	out := &verdicts{}
	m := markOf(nil, lsl.L3, "")
	fresh := func(state []byte) (*partition, error) {
		return newPartition(runs.New(runs.Config{}, out), m, out, state)
	}
	p, err := fresh(nil)
	if err != nil {
		t.Fatal(err)
	}
	state, err := p.State()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fresh(state); err != nil {
		t.Error(err)
	}
	old := archive.NewWriter()
	name := "antichain runs 1" // has no numbers of sources
	old.String(&name)
	want := `the snapshot has the format "antichain runs 1", and this program reads "antichain runs 2": let the program`
	if _, err := fresh(old.Bytes()); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, not %s", err, want)
	}
}
