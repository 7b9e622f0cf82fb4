package report

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// A chart shows a schedule with one column for each task; time runs downwards:
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
	cells  map[int]cell // by column
	gap    bool
	needed bool // it is shown, however long the chart is
}

// cell is the part of a row in one column.
type cell struct {
	text string
	at   string // position, omitted if there is no room
}

func (c cell) String() string {
	if c.at == "" {
		return c.text
	}
	return c.text + "  " + c.at
}

func (c cell) fit(n int) string {
	if s := c.String(); utf8.RuneCountInString(s) <= n {
		return s
	}
	return cut(c.text, n)
}

// shorten removes the directory of positions if all have the same. The heading of the chart names
// it.
func (c *chart) shorten() {
	dirs := map[string]bool{}
	for _, r := range c.rows {
		for _, cell := range r.cells {
			if cell.at != "" {
				dirs[path.Dir(cell.at)] = true
			}
		}
	}
	if len(dirs) != 1 {
		return
	}
	for _, r := range c.rows {
		for i, cell := range r.cells {
			cell.at = cell.at[strings.LastIndexByte(cell.at, '/')+1:]
			r.cells[i] = cell
		}
	}
}

// limit leaves rows out of a chart with more than most: gaps stand for them. It keeps those that
// are needed, if these are not too many, and of the others the last ones. It returns how many
// events it has left out.
func (c *chart) limit(most int) (left int) {
	if len(c.rows) <= most {
		return 0
	}
	needed, others := 0, most
	for _, r := range c.rows {
		if r.needed && needed < most/2 {
			needed++
			others -= 2 // with a gap
		}
	}
	var kept []row // backwards
	for i := len(c.rows) - 1; i >= 0; i-- {
		r := c.rows[i]
		switch {
		case r.needed && needed > 0:
			needed--
		case others > 0:
			others--
		default:
			if !r.gap {
				left++
			}
			if len(kept) == 0 || !kept[len(kept)-1].gap {
				kept = append(kept, row{cells: map[int]cell{}, gap: true})
			}
			for column := range r.cells {
				kept[len(kept)-1].cells[column] = cell{text: gapMark}
			}
			continue
		}
		kept = append(kept, r)
	}
	slices.Reverse(kept)
	c.rows = kept
	return left
}

const (
	minColumn = 14 // narrower columns are unreadable
	columnGap = 2
	gapMark   = "⋮"
)

// lines lays the chart out within width characters. If the columns do not fit side by side, each
// event follows the name of its column instead.
func (c *chart) lines(width int) []string {
	if len(c.heads) == 0 {
		return nil
	}
	widths := c.columnWidths()
	if !shrink(widths, width) {
		return c.list()
	}
	heads := make(map[int]cell, len(c.heads))
	rules := make(map[int]cell, len(c.heads))
	for i, h := range c.heads {
		heads[i] = cell{text: h}
		rules[i] = cell{text: strings.Repeat("─", min(utf8.RuneCountInString(h), widths[i]))}
	}
	lines := []string{line(widths, heads), line(widths, rules)}
	for _, r := range c.rows {
		lines = append(lines, line(widths, r.cells))
	}
	return lines
}

// shrink makes the widest columns narrower until all fit into width; false if they cannot.
func shrink(widths []int, width int) bool {
	total := 0
	for _, w := range widths {
		total += w + columnGap
	}
	for ; total > width; total-- {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] == minColumn {
			return false
		}
		widths[widest]--
	}
	return true
}

// columnWidths returns the natural width of each column.
func (c *chart) columnWidths() []int {
	widths := make([]int, len(c.heads))
	for i, h := range c.heads {
		widths[i] = max(minColumn, utf8.RuneCountInString(h))
	}
	for _, r := range c.rows {
		for i, cell := range r.cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell.String()))
		}
	}
	return widths
}

// list is the chart for a narrow terminal: one event a line, after its column's head.
func (c *chart) list() []string {
	var lines []string
	for _, r := range c.rows {
		if r.gap {
			lines = append(lines, gapMark)
			continue
		}
		for i, head := range c.heads {
			if cell, ok := r.cells[i]; ok {
				lines = append(lines, head+": "+cell.String())
			}
		}
	}
	return lines
}

// line puts cells side by side, and ends long ones in "…".
func line(widths []int, cells map[int]cell) string {
	var b strings.Builder
	for i, w := range widths {
		cell := cells[i].fit(w)
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
