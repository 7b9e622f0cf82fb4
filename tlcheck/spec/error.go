package spec

import "github.com/antichain-go/antichain/tlcheck/source"

// Error is a mistake in a specification.
type Error = source.Error

// Place returns where something of the property stands: "file:line:column", or "line:column" if it was not read from a
// file. What stands nowhere is placed at the beginning.
func (p *Property) Place(pos Pos) string {
	return source.Place(p.File, max(pos.Line, 1), max(pos.Col, 1))
}

// Excerpt returns the line of a place in the file with a caret below the place, as errors
// show it; "" for one that is nowhere.
func (f *File) Excerpt(pos Pos) string {
	if pos.Line < 1 {
		return ""
	}
	return source.Excerpt(source.Line(f.text, pos.Line), pos.Col)
}
