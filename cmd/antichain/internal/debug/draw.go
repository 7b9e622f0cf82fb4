package debug

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// maxDrawn limits the states, or actions, of a picture.
const maxDrawn = 300

var draw = &command{
	Name: "draw", Args: "FILE [seen|order]", Short: "draw the path to this state, all states seen, or the events of the run, as DOT or SVG", Least: 1, Most: 2, Files: true,
	Long: "FILE ends in .dot or .svg. The states on the path are bold. If moves lead to states outside of the picture, it shows\n" +
		"their number. order draws the events of a run and their order; those that have happened here are bold.",
	Do: func(d *dialogue, _ string, args []string) error {
		way := d.stack.Path()
		states := slices.Compact(slices.Sorted(slices.Values(way)))
		switch {
		case len(args) == 1:
		case args[1] == "seen":
			states = states[:0]
			for s := range d.States() {
				states = append(states, kripke.State(s))
			}
		case args[1] == "order" && d.Order != nil:
			picture, err := d.Order(d.stack.Here(), maxDrawn)
			return d.write(args[0], picture, err)
		case args[1] == "order":
			return errors.New("order needs a recorded run: draw FILE seen draws the states")
		default:
			return errors.New("usage: draw FILE [seen|order]")
		}
		if len(states) > maxDrawn {
			return fmt.Errorf("the picture would have %d states, more than the limit of %d", len(states), maxDrawn)
		}
		picture, err := kripke.Diagram(d.System, states)
		if err != nil {
			return err
		}
		for i, s := range states {
			picture.Nodes[i].Bold = slices.Contains(way, s)
		}
		return d.write(args[0], picture, nil)
	},
}

func (d *dialogue) write(file string, picture *diagram.Graph, err error) error {
	if err != nil {
		return err
	}
	var text string
	switch filepath.Ext(file) {
	case ".dot":
		text = picture.DOT()
	case ".svg":
		text, err = picture.SVG()
	default:
		err = fmt.Errorf("%s: the name of a picture must end in .dot or .svg", file)
	}
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintf(d, "%s is written.\n", file)
	return err
}
