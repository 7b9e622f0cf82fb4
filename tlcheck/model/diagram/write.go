package diagram

import "io"

// Write writes the picture as SVG, or in the language of Graphviz.
func (g *Graph) Write(w io.Writer, svg bool) error {
	text := g.DOT()
	if svg {
		var err error
		if text, err = g.SVG(); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, text)
	return err
}
