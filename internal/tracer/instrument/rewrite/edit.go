package rewrite

import (
	"bytes"
	"go/token"
	"slices"
)

// edits collects changes of one file. Two at the same place keep the order in which
// they were made.
type edits struct {
	fset *token.FileSet
	list []edit
}

type edit struct {
	offset, cut int
	text        string
}

func (e *edits) insert(pos token.Pos, text string) { e.replace(pos, pos, text) }

func (e *edits) replace(pos, end token.Pos, text string) {
	// Offsets in the file itself: line directives are ignored.
	from, to := e.fset.PositionFor(pos, false).Offset, e.fset.PositionFor(end, false).Offset
	e.list = append(e.list, edit{offset: from, cut: to - from, text: text})
}

// apply returns src with all changes made.
func (e *edits) apply(src []byte) []byte {
	slices.SortStableFunc(e.list, func(a, b edit) int { return a.offset - b.offset })
	var out bytes.Buffer
	last := 0
	for _, ed := range e.list {
		out.Write(src[last:ed.offset])
		out.WriteString(ed.text)
		last = ed.offset + ed.cut
	}
	out.Write(src[last:])
	return out.Bytes()
}
