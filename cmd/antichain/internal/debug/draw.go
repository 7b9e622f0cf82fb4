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

// maxDrawn is how many states, or actions, a picture shows.
const maxDrawn = 300

var draw = &command{
	Name: "draw", Args: "FILE [seen|order]", Short: "draw the way here, all states that were seen, or what happened, as DOT or SVG", Least: 1, Most: 2, Files: true,
	Long: "FILE ends in .dot or .svg. States where the way leads are bold; where moves lead to states that are not in the picture,\n" +
		"their number is. order draws what happened in a run, and what came before what; bold is what has happened here.",
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
			return errors.New("nothing has been recorded here whose order could be drawn: draw FILE seen draws the states")
		default:
			return errors.New("usage: draw FILE [seen|order]")
		}
		if len(states) > maxDrawn {
			return fmt.Errorf("the picture would have %d states, of which at most %d can be told apart", len(states), maxDrawn)
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
		err = fmt.Errorf("%s: give the name of the picture .dot or .svg at its end", file)
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
