package debug

import (
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

const aboutFormulas = `X next, N next if there is one, F some time, G always, f U g, f R g, f W g, f M g; ! & | -> <->.
The sequence of states begins in the current one and satisfies the formula; its last state becomes the current one.`

var step = &command{
	Name: "step", Args: "FORMULA", Short: "go on by a step that satisfies a formula, in the current mode", Least: 1,
	Open: true,
	Long: aboutFormulas + "\nset mode chooses the kind of step; the default is the shortest.",
	Do:   func(d *dialogue, rest string, _ []string) error { return d.step(rest, d.opt) },
}

// inMode returns the command step in a mode.
func inMode(name, short string, mode steps.Mode, long string) *command {
	return &command{
		Name: name, Args: "FORMULA", Short: short, Least: 1, Open: true, Long: aboutFormulas + "\n" + long,
		Do: func(d *dialogue, rest string, _ []string) error {
			opt := d.opt
			opt.Mode = mode
			return d.step(rest, opt)
		},
	}
}

var (
	shortest = inMode("shortest", "go on by a step with the fewest states", steps.Shortest,
		"No other step has fewer states.")
	minimal = inMode("minimal", "go on by a step none of whose prefixes is one", steps.Minimal,
		"It need not be the shortest one: the search is depth first.")
	maximal = inMode("maximal", "go on by a step that cannot be made longer", steps.Maximal,
		"No continuation of it, however long, satisfies the formula. A step that can be continued for ever, and satisfies it\nagain and again, ends where its cycle begins to repeat.")
	every = inMode("every", "go on by any step, the shortest one first; again goes on to the next", steps.Every,
		"With set new-ends on, again goes through all states in which such a step can end.")
)

func (d *dialogue) step(text string, opt steps.Options) error {
	f, err := d.parse(text)
	if err != nil {
		return err
	}
	t, err := d.take(func(ctx context.Context) (*steps.StackEntry, error) { return d.stack.Take(ctx, f, opt) })
	return d.report(t, err, f)
}

// take runs a search for a step within the limits of the dialogue.
func (d *dialogue) take(search func(context.Context) (*steps.StackEntry, error)) (t *steps.StackEntry, err error) {
	err = d.runBounded(func(ctx context.Context) (err error) {
		t, err = search(ctx)
		return err
	})
	return t, err
}

// report reports a step that was taken, or that there is none.
func (d *dialogue) report(t *steps.StackEntry, err error, f *temporal.Formula) error {
	switch {
	case err != nil:
		return err
	case t == nil:
		_, err := fmt.Fprintf(d, "There is no step from here that satisfies %s.\n", f)
		return err
	}
	return d.arrive(t.Step)
}

// errNoStep reports that there is no step to replace.
var errNoStep = errors.New("there is no step on the stack: step FORMULA takes one")

func (d *dialogue) last() (*steps.StackEntry, error) {
	all := d.stack.Taken()
	if len(all) == 0 {
		return nil, errNoStep
	}
	return all[len(all)-1], nil
}

var again = &command{
	Name: "again", Short: "satisfy the formula of the last step in another way", Repeats: true,
	Long: "The search continues where it was. If there is no other way, the step is removed.",
	Do: func(d *dialogue, _ string, _ []string) error {
		last, err := d.last()
		if err != nil {
			return err
		}
		if last.Formula == nil {
			return errors.New("the last step was a single move: back takes it back, moves lists the others")
		}
		t, err := d.take(d.stack.Alternative)
		switch {
		case err != nil:
			return fmt.Errorf("%w; this search has ended: replace FORMULA begins another one", err)
		case t == nil:
			fmt.Fprintf(d, "There is no other step that satisfies %s; this one is removed.\n", last.Formula)
			return d.view.Show(d.stack.Here(), nil)
		}
		return d.report(t, err, last.Formula)
	},
}

var replace = &command{
	Name: "replace", Args: "FORMULA", Short: "take another step instead of the last one", Least: 1, Open: true,
	Long: "If no step satisfies the formula, the last step stays.",
	Do: func(d *dialogue, rest string, _ []string) error {
		if _, err := d.last(); err != nil {
			return err
		}
		f, err := d.parse(rest)
		if err != nil {
			return err
		}
		t, err := d.take(func(ctx context.Context) (*steps.StackEntry, error) { return d.stack.Replace(ctx, f, d.opt) })
		return d.report(t, err, f)
	},
}

var remove = &command{
	Name: "remove", Short: "take the last step back and return to where it began",
	Do: func(d *dialogue, _ string, _ []string) error {
		if _, err := d.last(); err != nil {
			return err
		}
		d.stack.Remove()
		return d.view.Show(d.stack.Here(), nil)
	},
}

// before searches for a step back from here.
func (d *dialogue) before(ctx context.Context, f *temporal.Formula) (*steps.Step, error) {
	past, err := d.Backward(ctx)
	if err != nil {
		return nil, err
	}
	search, err := steps.New(past, f, d.stack.Here(), d.opt)
	if err != nil {
		return nil, err
	}
	defer search.Close()
	return search.Next(ctx)
}

var backward = &command{
	Name: "backward", Args: "FORMULA", Short: "go back by a step that satisfies a formula, read backward", Least: 1,
	Open: true,
	Long: "The sequence of states leads from this one to earlier ones, in any interleaving. The stack starts anew there.",
	Do: func(d *dialogue, rest string, _ []string) error {
		if d.Backward == nil {
			return errors.New("other paths to this state are unknown: use remove or back, which follow the path taken")
		}
		f, err := d.parse(rest)
		if err != nil {
			return err
		}
		var found *steps.Step
		err = d.runBounded(func(ctx context.Context) (err error) {
			found, err = d.before(ctx, f)
			return err
		})
		switch {
		case err != nil:
			return err
		case found == nil:
			_, err := fmt.Fprintf(d, "There is no step back from here that satisfies %s.\n", f)
			return err
		}
		d.begin(found.States[len(found.States)-1])
		return d.arrive(found)
	},
}
