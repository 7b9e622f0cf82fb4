package running

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/halt"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tracer/event"
)

var show = &command{
	Name: "show", Short: "where all goroutines are, and their variables",
	Do: func(d *dialogue, _ string, _ []string) error {
		if err := d.view.Show(d.here, nil); err != nil {
			return err
		}
		return d.writeAhead()
	},
}

var process = &command{
	Name: "process", Args: "TASK", Short: "where one goroutine is, and its variables", Least: 1, Most: 1,
	Do:       func(d *dialogue, _ string, args []string) error { return d.view.Process(args[0], d.here) },
	Complete: console.First(taskNames),
}

var holds = &command{
	Name: "holds", Args: "FORMULA", Short: "whether a formula is true in this state, or on the path to it", Least: 1,
	Open: true,
	Long: "A formula with temporal operators is evaluated on all states from the first one to this one.",
	Do: func(d *dialogue, rest string, _ []string) error {
		f, err := d.parse(rest)
		if err != nil {
			return err
		}
		states, scope := d.path(0), fmt.Sprintf("on the way of %s", wording.Plural(int(d.here)+1, "state"))
		if f.Propositional() {
			states, scope = []kripke.State{d.here}, "here"
		}
		holds, err := steps.Holds(d.ctx, d.run, f, states)
		if err == nil {
			_, err = fmt.Fprintf(d, "%s is %v %s.\n", f, holds, scope)
		}
		return err
	},
}

// path returns the states from one up to here.
func (d *dialogue) path(from kripke.State) (states []kripke.State) {
	for s := from; s <= d.here; s++ {
		states = append(states, s)
	}
	return states
}

var path = &command{
	Name: "path", Args: "[all]", Short: "the moves of the last step, or all, and what they change", Most: 1,
	Do: func(d *dialogue, _ string, args []string) error {
		switch {
		case len(args) == 0:
			return d.view.Path(d.path(d.step))
		case args[0] == "all":
			return d.view.Path(d.path(0))
		}
		return errors.New("usage: path [all]")
	},
	Complete: console.First(func(*dialogue) []string { return []string{"all"} }),
}

var moves = &command{
	Name: "moves", Short: "the next events if they have happened, else the goroutines that can continue",
	Do: func(d *dialogue, _ string, _ []string) error {
		all, err := d.run.Moves(nil, d.here)
		for _, m := range all {
			fmt.Fprintln(d, d.view.Text(d.here, m))
		}
		if err != nil || len(all) > 0 {
			return err
		}
		if ending := d.Ending(); ending != "" {
			_, err := fmt.Fprintf(d, "Nothing: %s.\n", ending)
			return err
		}
		return d.writeGoroutines()
	},
}

var goroutines = &command{
	Name: "goroutines", Short: "where the goroutines are now",
	Do: func(d *dialogue, _ string, _ []string) error { return d.writeGoroutines() },
}

func (d *dialogue) writeGoroutines() error {
	all, err := d.goroutines()
	if err != nil {
		return err
	}
	return halt.WriteGoroutines(d, all, d.Root)
}

func (d *dialogue) goroutines() (all []halt.Goroutine, err error) {
	if ending := d.Ending(); ending != "" {
		return nil, errors.New(ending)
	}
	tasks, err := d.Tasks()
	for _, t := range tasks {
		all = append(all, halt.Goroutine{Task: t, Name: d.TaskName(t.Ctx), Display: d.DisplayName(t.Ctx)})
	}
	return all, err
}

var calls = &command{
	Name: "calls", Args: "TASK", Short: "the calls of a goroutine now, the innermost first", Least: 1, Most: 1,
	Do: func(d *dialogue, _ string, args []string) error {
		all, err := d.goroutines()
		if err != nil {
			return err
		}
		for _, g := range all {
			if g.Name == args[0] {
				return halt.WriteStack(d, g, d.Root)
			}
		}
		if _, err := d.view.Named(args[0]); err != nil {
			return err
		}
		return fmt.Errorf("%s has ended", event.Printable(args[0]))
	},
	Complete: console.First(taskNames),
}

var dlv = console.DelveCommand(func(d *dialogue) (context.Context, int, error) {
	if ending := d.Ending(); ending != "" {
		return nil, 0, errors.New(ending)
	}
	return d.ctx, d.PID(), nil
})
