package report

import (
	"io"

	"github.com/antichain-go/antichain/tlcheck/model/diagram"
)

// WritePicture writes a picture as SVG, or for Graphviz.
func WritePicture(w io.Writer, picture *diagram.Graph, svg bool) error {
	text := picture.DOT()
	if svg {
		var err error
		if text, err = picture.SVG(); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, text)
	return err
}
