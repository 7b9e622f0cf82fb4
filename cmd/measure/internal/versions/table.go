//go:build unix

package versions

import (
	"fmt"
	"math"
	"strings"
)

// A table has a row for each check and a column for each release.
type table struct {
	cells    []*cell
	releases []*release
	outcomes [][]*outcome // by row and column; nil where there is none yet
}

func newTable(cells []*cell, releases []*release) *table {
	t := &table{cells: cells, releases: releases}
	for range cells {
		t.outcomes = append(t.outcomes, make([]*outcome, len(releases)))
	}
	return t
}

// headCell is the first one of the head, by which a table is found again.
const headCell = "check"

// String is the table in Markdown.
func (t *table) String() string {
	var b strings.Builder
	head := []string{headCell}
	for _, r := range t.releases {
		head = append(head, r.name)
	}
	writeRow(&b, head)
	b.WriteString(strings.Repeat("| --- ", len(head)) + "|\n")
	for i, c := range t.cells {
		row := []string{c.name}
		for j, r := range t.releases {
			row = append(row, cellText(r, c, t.outcomes[i][j]))
		}
		writeRow(&b, row)
	}
	return b.String()
}

func writeRow(b *strings.Builder, cells []string) {
	for _, c := range cells {
		fmt.Fprintf(b, "| %s ", strings.ReplaceAll(c, "|", "/"))
	}
	b.WriteString("|\n")
}

// cellText is an outcome with its time.
func cellText(r *release, c *cell, o *outcome) string {
	if o == nil {
		return "not run"
	}
	text := fmt.Sprintf("%s, %.0f s", o.Says, math.Ceil(o.Seconds))
	switch {
	case o.OK:
		return text
	case exceptionFor(r.minor, c, o) != nil:
		return "(" + text + ")"
	default:
		return "FAILED: " + text
	}
}

// details tell of each cell that is not as it ought to be of a supported release.
func (t *table) details() string {
	var b strings.Builder
	for i, c := range t.cells {
		for j, r := range t.releases {
			o := t.outcomes[i][j]
			if o == nil || o.OK {
				continue
			}
			why := "FAILED"
			if e := exceptionFor(r.minor, c, o); e != nil {
				why = "expected: " + e.why
			}
			fmt.Fprintf(&b, "%s, %s: %s: %s\n%s\n", r.name, c.name, o.Says, why, indent(o.Details))
		}
	}
	return b.String()
}

// indent moves the lines of a text to the right.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    " + line)
	}
	return b.String()
}
