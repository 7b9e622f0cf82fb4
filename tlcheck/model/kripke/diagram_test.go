package kripke_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// A part of a system is drawn with what leads out of it.
func TestDiagram(t *testing.T) {
	x := structure(t, `{"states":4,"start":1,"labels":[["a"],["b"],[],[]],"trans":{"p":[[0,1],[1,2],[1,3]],"q":[[1,0],[1,1]]}}`)
	got, err := kripke.Diagram(x, []kripke.State{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	want := &diagram.Graph{
		Groups: []string{""},
		Nodes: []diagram.Node{{Text: "1\nlabels=b", Bold: true}, {Text: "0\nlabels=a"},
			{Text: "2 more", Shape: diagram.Plain}},
		Edges: []diagram.Edge{{From: 0, To: 1, Text: "q: 1 -> 0"}, {From: 0, To: 0, Text: "q: 1 -> 1"},
			{From: 0, To: 2, Dashed: true}, {From: 1, To: 0, Text: "p: 0 -> 1"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	stuttering, err := kripke.Diagram(kripke.Stutter(x), []kripke.State{3})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]diagram.Edge{{Text: "stutter"}}, stuttering.Edges); diff != "" {
		t.Error(diff)
	}
}
