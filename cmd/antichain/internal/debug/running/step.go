package running

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/halt"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
	"github.com/antichain-go/antichain/tracer/event"
)

const aboutSteps = `X next, N next if there is one, F some time, G always, f U g, f R g, f W g, f M g; ! & | -> <->. Propositions are
local formulas of goroutines, as in main.1:(in.put and n > 0).
The sequence of states begins in the current one, and ends as soon as it satisfies the formula: there the program is halted.
In F (p & q), with p and q about two goroutines, a goroutine whose part holds waits for the other, and likewise in
F (p & q | r & s). In !q U p the goroutines of q wait until p holds. F (p & f) continues with f. If no other goroutine can
do anything, or half of the time (set time) is over, a waiting goroutine runs one more event, and may have to wait again after it.
At the terminal ctrl-C ends the step and halts the program, which does not notice it. If that takes long, another ctrl-C goes to
the program.`

// stepCommand is a command that resumes until a formula holds. On a process all kinds of steps are
// the same, since nothing can be chosen.
func stepCommand(name, short string) *command {
	return &command{
		Name: name, Args: "FORMULA", Short: short, Least: 1, Open: true, Long: aboutSteps,
		Do: func(d *dialogue, rest string, _ []string) error {
			f, err := d.parse(rest)
			if err != nil {
				return err
			}
			return d.follow(f)
		},
	}
}

var (
	step     = stepCommand("step", "run the program until a formula is satisfied")
	shortest = stepCommand("shortest", "the same: a process has only one kind of step")
	minimal  = stepCommand("minimal", "the same")
)

// follow resumes until the states from here on satisfy f.
func (d *dialogue) follow(f *temporal.Formula) error {
	along, err := steps.NewFollower(d.run, f)
	if err != nil {
		return err
	}
	guide, progress := newGuide(f, time.Now().Add(d.time)), steps.Open
	atom := func(s kripke.State) func(string) bool {
		return func(text string) bool {
			a, err := d.run.Atom(text) // NewFollower has looked it up
			return err == nil && d.run.Holds(a, s)
		}
	}
	goal := &Goal{
		Time: d.time,
		Held: func() (bool, []string) {
			return false, append(d.heldTasks(), guide.tasksToHold(time.Now(), atom(d.run.Last()))...)
		},
		Look: guide.look,
	}
	d.step = d.here
	if err := d.sayUnknown(f); err != nil {
		return err
	}
	stop, broken := d.goOn(d.here, goal, func(s kripke.State) bool {
		progress, err = along.Read(d.ctx, s)
		guide.takeState(atom(s), func(task string) bool { return d.moved(task, s) })
		return progress != steps.Open || err != nil
	})
	if err = errors.Join(err, broken, d.run.Failed(), d.view.Undefined(d.run.EvalErrors())); err != nil {
		return err
	}
	return d.arrive(progress, stop, tasksOf(f))
}

// sayUnknown writes which tasks of a formula do not exist yet, since that may be a mistake.
func (d *dialogue) sayUnknown(f *temporal.Formula) error {
	for _, t := range tasksOf(f) {
		if _, ok := d.run.Net().Lookup(t); !ok {
			if _, err := fmt.Fprintf(d, "%s is not there yet.\n", event.Printable(t)); err != nil {
				return err
			}
		}
	}
	return nil
}

// moved reports whether a task has an event in the action that led to a state.
func (d *dialogue) moved(task string, s kripke.State) bool {
	t, ok := d.run.Net().Lookup(task)
	return ok && d.run.Took(t, s)
}

// goOn visits the states from one on until reached returns true: first the known states, then those
// that are recorded while the program runs, and finally those recorded while it was being halted,
// or was ending.
func (d *dialogue) goOn(from kripke.State, goal *Goal, reached func(kripke.State) bool) (Stop, error) {
	at, done := from, false // the present state, and whether reached was true
	goal.Reached = func() bool {
		for ; !done && at <= d.run.Last(); at++ {
			d.here = at
			done = reached(at)
		}
		return done
	}
	if goal.Reached() {
		return Halted, nil
	}
	stop, err := d.Go(goal)
	if goal.Reached() {
		stop = Halted
	}
	return stop, err
}

func (d *dialogue) heldTasks() (all []string) {
	for t := range d.held {
		all = append(all, t)
	}
	slices.Sort(all)
	return all
}

// arrive reports the result of a step about these tasks.
func (d *dialogue) arrive(progress steps.Progress, stop Stop, tasks []string) error {
	switch {
	case progress == steps.Missed:
		fmt.Fprintln(d, "Not reached: whatever comes now, the formula is not satisfied any more.")
	case progress == steps.Reached:
		if n := int(d.here - d.step); n != 1 {
			fmt.Fprintf(d, "A step of %s.\n", wording.Plural(n, "move"))
		}
	default:
		if err := d.sayWhy(stop, tasks); err != nil {
			return err
		}
	}
	if err := d.view.Show(d.here, &d.step); err != nil {
		return err
	}
	return d.writeAhead()
}

// sayWhy writes why a step about these tasks was not completed.
func (d *dialogue) sayWhy(stop Stop, tasks []string) error {
	if stop == Ended {
		_, err := fmt.Fprintf(d, "Not reached: %s.\n", d.Ending())
		return err
	}
	text := fmt.Sprintf("Not reached in %s: set time gives them more.", d.time)
	if stop == Interrupted {
		text = "Not reached: interrupted."
	}
	if held := d.heldTasks(); len(held) > 0 {
		text += " You hold " + event.Printable(strings.Join(held, ", ")) + "."
	}
	all, err := d.goroutines()
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(d, text); err != nil {
		return err
	}
	return halt.WriteGoroutines(d, slices.DeleteFunc(all,
		func(g halt.Goroutine) bool { return !slices.Contains(tasks, g.Name) }), d.Root)
}

var next = &command{
	Name: "next", Args: "[TASK]", Short: "run one more event, of any goroutine or of one", Most: 1, Repeats: true,
	Long: "Without TASK, run the next event of any goroutine that is not held. With TASK, all others are held meanwhile.\n" +
		"Events that are known to come before it have happened already; next passes through them.",
	Do: func(d *dialogue, _ string, args []string) error {
		if len(args) == 0 {
			return d.stepOnce(nil, func(kripke.State) bool { return true }, func() (bool, []string) {
				return false, d.heldTasks()
			})
		}
		if _, err := d.view.Named(args[0]); err != nil {
			return err
		}
		t, _ := d.run.Net().Lookup(args[0])
		if d.run.Over(t, d.here) {
			return fmt.Errorf("%s has ended", event.Printable(args[0]))
		}
		return d.stepOnce(args, func(s kripke.State) bool { return d.run.Took(t, s) },
			func() (bool, []string) { return true, args })
	},
	Complete: console.First(taskNames),
}

// stepOnce resumes until the next wanted state of these tasks.
func (d *dialogue) stepOnce(tasks []string, wanted func(kripke.State) bool, held func() (bool, []string)) error {
	d.step = d.here
	stop, err := d.goOn(d.here+1, &Goal{Time: d.time, Held: held}, wanted)
	switch {
	case err != nil:
		return err
	case stop != Halted:
		if err := d.sayWhy(stop, tasks); err != nil {
			return err
		}
	}
	for s := d.step; s < d.here; s++ {
		all, err := d.run.Moves(nil, s)
		if err != nil {
			return err
		}
		fmt.Fprintln(d, d.view.Text(s, all[0]))
	}
	if err := d.view.Show(d.here, &d.step); err != nil {
		return err
	}
	return d.writeAhead()
}

func taskNames(d *dialogue) []string { return d.run.Processes() }

var hold = &command{
	Name: "hold", Args: "TASK", Short: "pause a goroutine until release", Least: 1, Most: 1,
	Long: "It pauses before or after its next event, and keeps what it owns, such as locks. next TASK moves it nevertheless.",
	Do: func(d *dialogue, _ string, args []string) error {
		if _, err := d.view.Named(args[0]); err != nil {
			return err
		}
		d.held[args[0]] = true
		return nil
	},
	Complete: console.First(taskNames),
}

var release = &command{
	Name: "release", Args: "[TASK]", Short: "release one held goroutine, or all", Most: 1,
	Do: func(d *dialogue, _ string, args []string) error {
		switch {
		case len(args) == 0:
			clear(d.held)
			return nil
		case !d.held[args[0]]:
			return fmt.Errorf("%s is not held", event.Printable(args[0]))
		}
		delete(d.held, args[0])
		return nil
	},
	Complete: console.First((*dialogue).heldTasks),
}
