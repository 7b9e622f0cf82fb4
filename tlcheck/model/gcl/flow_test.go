package gcl_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
)

// arrows returns the edges of the flow graph of a process, as text.
func arrows(s *gcl.System, process int) (all []string) {
	g := s.Flow()
	for _, e := range g.Edges {
		if from := g.Nodes[e.From]; from.Group == process {
			arrow := " -> "
			if e.Text != "" {
				arrow = " -" + e.Text + "-> "
			}
			all = append(all, from.Text+arrow+g.Nodes[e.To].Text)
		}
	}
	return all
}

// The flow graph of P1 is that of Gunter and Peled, figure 4. Where the outer loop ends, no arrow
// leads.
func TestFlowOfStatements(t *testing.T) {
	want := []string{
		"n0 -> n1: c1 := 1",
		"n1: c1 := 1 -> n11: while true",
		"n11: while true -yes-> n2: c1 := 0",
		"n2: c1 := 0 -> n7: while c0 = 0",
		"n7: while c0 = 0 -yes-> n6: if turn = 0",
		"n7: while c0 = 0 -no-> n8: critical := 1",
		"n6: if turn = 0 -yes-> n3: c1 := 1",
		"n6: if turn = 0 -no-> n7: while c0 = 0",
		"n8: critical := 1 -> n9: c1 := 1",
		"n3: c1 := 1 -> n4: wait turn = 0",
		"n9: c1 := 1 -> n10: turn := 0",
		"n4: wait turn = 0 -> n5: c1 := 0",
		"n10: turn := 0 -> n11: while true",
		"n5: c1 := 0 -> n7: while c0 = 0",
	}
	if diff := cmp.Diff(want, arrows(load(t, "dekker.gcl", nil), 1)); diff != "" {
		t.Error(diff)
	}
}

func TestFlowOfCommands(t *testing.T) {
	want := []string{
		"L0 -> L0", "L0 -y1 := 1-> L1", "L1 -t := 1-> L2", "L2 -if y2 = 0 or t = 0-> L3",
		"L2 -if y2 = 1 and t = 1-> L2", "L3 -y1 := 0-> L0",
	}
	if diff := cmp.Diff(want, arrows(load(t, "peterson.gcl", nil), 0)); diff != "" {
		t.Error(diff)
	}
	f, err := gcl.Parse("p.gcl", "process P L : if 1=2 skip; | goto M; M : skip; end process Q if 1=1 then begin end")
	if err != nil {
		t.Fatal(err)
	}
	s, err := gcl.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"L -> M", "M -skip-> end"}, arrows(s, 0)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"m0 -> m1: if true", "m1: if true -> end"}, arrows(s, 1)); diff != "" {
		t.Error(diff)
	}
}
