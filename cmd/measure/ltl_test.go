//go:build unix

package main

import (
	"slices"
	"strings"
	"testing"
)

// The numbers of nodes are those of the report, less one; the methods agree on all rows, or there
// would be no number.
func TestLinearRows(t *testing.T) {
	want := map[string][]string{
		"X1, n=4: safety":            {"X1, n=4", "safety", "yes", "1513 (1514)", "297 (1189)"},
		"X1, n=4: liveness":          {"X1, n=4", "liveness", "no", "2422 (2423)", ""},
		"X1, n=4: communal liveness": {"X1, n=4", "communal liveness", "yes", "2170 (2171)", "513 (3493)"},
		"X2, n=4: safety":            {"X2, n=4", "safety", "yes", "4361 (4598)", "857 (3429)"},
	}
	seen := map[string]bool{}
	for _, r := range linearRows {
		if seen[r.name()] {
			t.Errorf("%s stands twice", r.name())
		}
		seen[r.name()] = true
		expected := want[r.name()]
		if expected == nil {
			continue
		}
		cells, err := r.measure("../../examples/programs", 1)
		if err != nil {
			t.Fatalf("%s: %v", r.name(), err)
		}
		got := []string{cells[0], cells[1], cells[2], cells[3], cells[5]}
		if expected[4] == "" {
			got[4] = "" // where the search stops is not promised
		}
		if len(cells) != len(linearTable) || !slices.Equal(got, expected) {
			t.Errorf("%s: %s", r.name(), strings.Join(cells, " | "))
		}
	}
	for name := range want {
		if !seen[name] {
			t.Errorf("no row %s", name)
		}
	}
}
