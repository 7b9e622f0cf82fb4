package report

import (
	"strings"
	"unicode/utf8"
)

// A chart shows a schedule as columns, one for each task, time running downwards:
//
//	main            main.1
//	go main.1
//	enter append
//	⋮               ⋮
//	b.last = 1
//	                enter remove
type chart struct {
	heads []string
	rows  []row
}

// row is one line of a chart: one event, or a gap where events are left out.
type row struct {
	cells map[int]string // by column
	gap   bool
}

const (
	minColumn = 14 // narrower columns are unreadable
	columnGap = 2
	gapMark   = "⋮"
)

// lines lays the chart out within width characters. Where the columns do not fit side by side,
// each event stands behind the name of its column instead.
func (c *chart) lines(width int) []string {
	if len(c.heads) == 0 {
		return nil
	}
	widths := c.columnWidths()
	total := 0
	for _, w := range widths {
		total += w + columnGap
	}
	if total > width {
		room := width/len(c.heads) - columnGap
		if room < minColumn {
			return c.list()
		}
		for i := range widths {
			widths[i] = min(widths[i], room)
		}
	}
	heads := make(map[int]string, len(c.heads))
	rules := make(map[int]string, len(c.heads))
	for i, h := range c.heads {
		heads[i] = h
		rules[i] = strings.Repeat("─", min(utf8.RuneCountInString(h), widths[i]))
	}
	lines := []string{line(widths, heads), line(widths, rules)}
	for _, r := range c.rows {
		lines = append(lines, line(widths, r.cells))
	}
	return lines
}

// columnWidths returns the width that each column would like to have.
func (c *chart) columnWidths() []int {
	widths := make([]int, len(c.heads))
	for i, h := range c.heads {
		widths[i] = max(minColumn, utf8.RuneCountInString(h))
	}
	for _, r := range c.rows {
		for i, cell := range r.cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// list is the chart for a narrow terminal: one event a line, behind its column's head.
func (c *chart) list() []string {
	var lines []string
	for _, r := range c.rows {
		if r.gap {
			lines = append(lines, gapMark)
			continue
		}
		for i, head := range c.heads {
			if cell, ok := r.cells[i]; ok {
				lines = append(lines, head+": "+cell)
			}
		}
	}
	return lines
}

// line puts cells side by side; what is too long ends in "…".
func line(widths []int, cells map[int]string) string {
	var b strings.Builder
	for i, w := range widths {
		cell := cut(cells[i], w)
		b.WriteString(cell)
		b.WriteString(strings.Repeat(" ", w-utf8.RuneCountInString(cell)+columnGap))
	}
	return strings.TrimRight(b.String(), " ")
}

// cut shortens s to at most n characters.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
