package debug

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/kripke"
)

// maxDrawn is how many states a picture shows.
const maxDrawn = 300

var draw = &command{
	Name: "draw", Args: "FILE [seen]", Short: "draw the way here, or all states that were seen, as DOT or SVG", Least: 1, Most: 2, Files: true,
	Long: "FILE ends in .dot or .svg. States where the way leads are bold; where moves lead to states that are not in the picture,\ntheir number is.",
	Do: func(d *dialogue, _ string, args []string) error {
		way := d.stack.Path()
		states := slices.Compact(slices.Sorted(slices.Values(way)))
		if len(args) > 1 {
			if args[1] != "seen" {
				return fmt.Errorf("usage: draw FILE [seen]")
			}
			states = states[:0]
			for s := range d.States() {
				states = append(states, kripke.State(s))
			}
		}
		if len(states) > maxDrawn {
			return fmt.Errorf("the picture would have %d states, of which at most %d can be told apart", len(states), maxDrawn)
		}
		return d.draw(args[0], states, way)
	},
}

func (d *dialogue) draw(file string, states, way []kripke.State) error {
	picture, err := kripke.Diagram(d.System, states)
	if err != nil {
		return err
	}
	for i, s := range states {
		picture.Nodes[i].Bold = slices.Contains(way, s)
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
	_, err = fmt.Fprintf(d, "%s shows %s.\n", file, report.Plural(len(states), "state"))
	return err
}
