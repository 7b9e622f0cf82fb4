package tableau

import (
	"fmt"
	"strings"
)

// maxWhy is how many lines a reason has at most.
const maxWhy = 40

// why says in lines why the root is no state: for each of its blocks, what it needs that cannot be.
func (t *tableau) why() []string {
	w := &explanation{tableau: t, told: map[int]bool{}}
	w.or("", 0)
	return w.lines
}

type explanation struct {
	*tableau
	lines []string
	told  map[int]bool // blocks
}

func (w *explanation) say(format string, args ...any) {
	switch {
	case len(w.lines) < maxWhy:
		w.lines = append(w.lines, fmt.Sprintf(format, args...))
	case len(w.lines) == maxWhy:
		w.lines = append(w.lines, "…")
	}
}

// or explains an OR-node, none of whose blocks is a state.
func (w *explanation) or(indent string, o int) {
	var formulas []string
	for _, n := range w.ors[o].formulas {
		formulas = append(formulas, w.text(n))
	}
	all := strings.Join(formulas, ", ")
	if len(w.ors[o].blocks) == 0 {
		w.say("%scontradictory: %s", indent, all)
		return
	}
	w.say("%sin no state: %s", indent, all)
	for _, n := range w.ors[o].blocks {
		w.block(indent+"  ", n)
	}
}

// block explains a block. It is dead because of a tile that died before, or of an eventuality.
func (w *explanation) block(indent string, n int) {
	h := w.ands[n]
	text := w.label(h.label)
	if w.told[n] {
		w.say("%sa state with %s: see above", indent, text)
		return
	}
	w.told[n] = true
	if w.list[h.dead.formula].eventuality() {
		w.say("%sa state with %s puts %s off for ever", indent, text, w.text(h.dead.formula))
		return
	}
	w.say("%sa state with %s needs a next one for %s", indent, text, w.text(h.dead.formula))
	for _, tile := range h.tiles {
		if tile.because == h.dead.formula && len(w.lines) < maxWhy {
			w.or(indent+"  ", tile.to)
		}
	}
}

func (w *explanation) label(label set) string {
	var parts []string
	for _, n := range label.members() {
		if w.list[n].op == isEX && w.list[n].x == formulaTrue {
			continue // it goes without saying
		}
		parts = append(parts, w.text(n))
	}
	if len(parts) == 0 {
		return "nothing else"
	}
	return strings.Join(parts, ", ")
}
