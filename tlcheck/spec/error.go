package spec

import "github.com/antichain-go/antichain/tlcheck/source"

// Error is a mistake in a specification.
type Error = source.Error

// Place returns a position in the property as "file:line:column", or "line:column" if it was not
// read from a file. The zero Pos is the beginning.
func (p *Property) Place(pos Pos) string {
	return source.Place(p.File, max(pos.Line, 1), max(pos.Col, 1))
}

// Excerpt returns the line of a position with a caret below it, as errors show it; "" for the zero
// Pos.
func (f *File) Excerpt(pos Pos) string {
	if pos.Line < 1 {
		return ""
	}
	return source.Excerpt(source.Line(f.text, pos.Line), pos.Col)
}
