package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChartLines(t *testing.T) {
	c := &chart{
		heads: []string{"main", "main.1"},
		rows: []row{
			{cells: map[int]cell{0: {text: "go main.1", at: "m.go:1"}}},
			{cells: map[int]cell{0: {text: gapMark}, 1: {text: gapMark}}, gap: true},
			{cells: map[int]cell{1: {text: "enter a function with a long name"}}},
		},
	}
	tests := []struct {
		name  string
		width int
		want  string
	}{
		{"wide", 80, `
main               main.1
────               ──────
go main.1  m.go:1
⋮                  ⋮
                   enter a function with a long name`},
		{"cut", 38, `
main               main.1
────               ──────
go main.1  m.go:1
⋮                  ⋮
                   enter a function…`},
		{"without position", 34, `
main             main.1
────             ──────
go main.1
⋮                ⋮
                 enter a functi…`},
		{"one below the other", 24, `
main: go main.1  m.go:1
⋮
main.1: enter a function with a long name`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := "\n" + strings.Join(c.lines(test.width), "\n")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("width %d (-want +got):\n%s", test.width, diff)
			}
		})
	}
}

func TestChartWithoutColumns(t *testing.T) {
	if got := (&chart{}).lines(80); got != nil {
		t.Errorf("lines of an empty chart: %q", got)
	}
}
