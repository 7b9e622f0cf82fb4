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

func TestChartShorten(t *testing.T) {
	for _, test := range []struct{ first, second, want string }{
		{"a/b/m.go:1", "a/b/n.go:2", "m.go:1 n.go:2"},
		{"a/m.go:1", "m.go:2", "a/m.go:1 m.go:2"},
		{"a/m.go:1", "", "m.go:1 "},
		{"m.go:1", "m.go:2", "m.go:1 m.go:2"},
	} {
		c := &chart{rows: []row{{cells: map[int]cell{0: {at: test.first}}},
			{cells: map[int]cell{1: {at: test.second}}}}}
		c.shorten()
		if got := c.rows[0].cells[0].at + " " + c.rows[1].cells[1].at; got != test.want {
			t.Errorf("%s, %s: got %s, want %s", test.first, test.second, got, test.want)
		}
	}
}

func TestChartWithoutColumns(t *testing.T) {
	if got := (&chart{}).lines(80); got != nil {
		t.Errorf("lines of an empty chart: %q", got)
	}
}
