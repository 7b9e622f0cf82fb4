package debug

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/diagram"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

var show = &command{
	Name: "show", Short: "where all processes are, and the variables",
	Do: func(d *dialogue, _ string, _ []string) error { return d.view.Show(d.stack.Here(), nil) },
}

var process = &command{
	Name: "process", Args: "NAME", Short: "where one process is, its variables, and what it can do", Least: 1,
	Open: true,
	Do: func(d *dialogue, name string, _ []string) error {
		return d.view.Process(name, d.stack.Here())
	},
	Complete: console.First(func(d *dialogue) []string { return d.Processes() }),
}

var holds = &command{
	Name: "holds", Args: "FORMULA", Short: "whether a formula is true in this state, or on the path to it", Least: 1,
	Open: true,
	Long: "A formula with temporal operators is evaluated on the states of the stack, from its beginning to this state.",
	Do: func(d *dialogue, rest string, _ []string) error {
		f, err := d.parse(rest)
		if err != nil {
			return err
		}
		states, scope := d.stack.Path(), fmt.Sprintf("on the way of %s", wording.Plural(len(d.stack.Path()), "state"))
		if f.Propositional() {
			states, scope = []kripke.State{d.stack.Here()}, "here"
		}
		true_, err := d.holds(f, states)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(d, "%s is %v %s.\n", f, true_, scope)
		return err
	},
}

// holds evaluates a formula on states.
func (d *dialogue) holds(f *temporal.Formula, states []kripke.State) (holds bool, err error) {
	err = d.runBounded(func(ctx context.Context) (err error) {
		holds, err = steps.Holds(ctx, d.System, f, states)
		return err
	})
	return holds, err
}

var stack = &command{
	Name: "stack", Short: "the steps taken",
	Do: func(d *dialogue, _ string, _ []string) error {
		taken := d.stack.Taken()
		if len(taken) == 0 {
			_, err := fmt.Fprintln(d, "No steps yet.")
			return err
		}
		for i, t := range taken {
			what := "a single move"
			if t.Formula != nil {
				what = t.Options.Mode.String() + " " + t.Formula.String()
			}
			fmt.Fprintf(d, "%4d  %s: %s, from state %d to %d\n", i+1, what, wording.Plural(len(t.States)-1, "move"),
				t.States[0], t.States[len(t.States)-1])
		}
		return nil
	},
}

var path = &command{
	Name: "path", Args: "[all]", Short: "the moves of the last step, or of all steps, and what they change", Most: 1,
	Do: func(d *dialogue, _ string, args []string) error {
		states := d.stack.Path()
		switch last, err := d.last(); {
		case len(args) > 0 && args[0] != "all":
			return fmt.Errorf("usage: path [all]")
		case len(args) == 0 && err != nil:
			return err
		case len(args) == 0:
			states = last.States
		}
		return d.view.Path(states)
	},
	Complete: console.First(func(*dialogue) []string { return []string{"all"} }),
}

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
