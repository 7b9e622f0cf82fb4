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

// A long chart has the rows that are needed, and of the others the last ones.
func TestChartLimit(t *testing.T) {
	tests := []struct {
		name string
		rows string // a letter a row: n needed, g a gap
		most int
		want string
		left int
	}{
		{"short", "ab", 2, "ab", 0},
		{"the last ones", "abcdef", 3, "gdef", 3},
		{"a needed one", "anbcdefh", 4, "gngfh", 5},
		{"gaps are no steps", "agbgcd", 2, "gcd", 2},
		{"gaps become one", "agbgc", 2, "gc", 2},
		{"needed ones next to each other", "nnabcdef", 6, "nngef", 4},
		{"many needed ones", "nnnnnna", 4, "gnng", 5},
	}
	for _, test := range tests {
		c := &chart{}
		for _, r := range test.rows {
			c.rows = append(c.rows, row{cells: map[int]cell{0: {text: string(r)}}, gap: r == 'g', needed: r == 'n'})
		}
		left := c.limit(test.most)
		got := ""
		for _, r := range c.rows {
			if r.gap {
				got += "g"
				continue
			}
			got += r.cells[0].text
		}
		if got != test.want || left != test.left {
			t.Errorf("%s: %s, %d left out, want %s, %d", test.name, got, left, test.want, test.left)
		}
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
