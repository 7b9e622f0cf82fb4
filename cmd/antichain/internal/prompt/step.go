package prompt

import (
	"errors"
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
)

var next = &command{
	Name: "next", Args: "[TASK]", Short: "advance by one action of a goroutine", Most: 1, Repeats: true,
	Long: "Without TASK, advance by the action that came next in the run. The causes of the action must be in the\n" +
		"slice; if they are not, next lists them. The program does not move.",
	Do: func(d *dialogue, _ string, args []string) error {
		a, err := d.nextAction(args)
		if err != nil {
			return err
		}
		return d.move(d.lattice.Fire(d.slice, a), "after", a)
	},
	Complete: console.First((*dialogue).taskNames),
}

var back = &command{
	Name: "back", Args: "[TASK]", Short: "take back the latest action of a goroutine", Most: 1, Repeats: true,
	Long: "Without TASK, take back the action that came last in the run. An action that others in the slice come\n" +
		"after can be taken back only after these; back lists them.",
	Do: func(d *dialogue, _ string, args []string) error {
		a, err := d.lastAction(args)
		if err != nil {
			return err
		}
		return d.move(d.slice.Meet(d.lattice.NotAbove(a)), "before", a)
	},
	Complete: console.First((*dialogue).taskNames),
}

var happened = &command{
	Name: "happened", Short: "go to where the run was when everything in the slice had happened",
	Long: "The slice of a violation need not be one that the run came through. From there on, next and back\n" +
		"without TASK follow the run.",
	Do: func(d *dialogue, _ string, _ []string) error {
		d.slice = d.firstReached()
		return d.shownSlice().Write(d, d.style)
	},
}

var now = &command{
	Name: "now", Short: "go to the latest slice, in which the program stands",
	Do: func(d *dialogue, _ string, _ []string) error {
		d.slice = d.lattice.Top()
		return d.shownSlice().Write(d, d.style)
	},
}

// move goes to the slice before or after an action, and prints the action and its effect.
func (d *dialogue) move(to slices.Ideal, side string, a san.Action) error {
	d.slice = to
	if err := report.WriteMove(d, d.style, d.Net, side, a); err != nil {
		return err
	}
	if d.property == nil {
		return nil
	}
	e, err := d.evaluate(d.property, d.tiva)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(d, d.shownSlice().ValueText(d.style, d.property, e.Truth))
	return err
}

// nextAction returns the action that the command next adds.
func (d *dialogue) nextAction(args []string) (san.Action, error) {
	if len(args) == 0 {
		for a := range d.Net.Order() {
			if !d.slice.Has(a) {
				return a, nil
			}
		}
		return san.Action{}, errors.New("the run has not come further: resume continues it")
	}
	t, err := d.taskOf(args[0])
	if err != nil {
		return san.Action{}, err
	}
	name := event.Printable(d.Net.Name(t))
	if by, spawned := d.Net.SpawnedBy(t); spawned && !d.slice.Has(by) {
		return san.Action{}, fmt.Errorf("%s is not started yet: that is %s of %s", name, d.style.EventText(d.Net, by), event.Printable(d.Net.Name(by.Task)))
	}
	k := d.slice.At(t)
	switch {
	case k < d.Net.Len(t):
	case d.Net.Ended(t):
		return san.Action{}, fmt.Errorf("%s has ended", name)
	default:
		return san.Action{}, fmt.Errorf("%s has not come further: resume continues the program", name)
	}
	a := d.Net.Canonical(san.Action{Task: t, K: int32(k + 1)})
	if before := d.missingCauses(a); len(before) > 0 {
		return a, fmt.Errorf("%s cannot go on here. Before %s come:\n%s", name, d.style.EventText(d.Net, san.Action{Task: t, K: int32(k + 1)}), d.listed(before))
	}
	return a, nil
}

// missingCauses returns what must happen before an action can, the latest event of each task.
func (d *dialogue) missingCauses(a san.Action) []san.Action {
	var before []san.Action
	down := d.lattice.Down(a)
	for t := range san.Task(d.Net.Tasks()) {
		k := down.At(t)
		if k > 0 && d.Net.Canonical(san.Action{Task: t, K: int32(k)}) == a {
			k--
		}
		if k > d.slice.At(t) {
			before = append(before, san.Action{Task: t, K: int32(k)})
		}
	}
	return before
}

// lastAction returns the action that the command back removes.
func (d *dialogue) lastAction(args []string) (san.Action, error) {
	if d.slice.Size() == 0 {
		return san.Action{}, errors.New("this is the first slice that is known")
	}
	if len(args) == 0 {
		var last san.Action
		for a := range d.Net.Order() {
			if d.slice.Has(a) {
				last = a
			}
		}
		return last, nil
	}
	t, err := d.taskOf(args[0])
	if err != nil {
		return san.Action{}, err
	}
	name, k := event.Printable(d.Net.Name(t)), d.slice.At(t)
	switch {
	case k == 0 && d.Net.Forgotten(t) > 0:
		return san.Action{}, fmt.Errorf("earlier events of %s are not kept", name)
	case k == 0:
		return san.Action{}, fmt.Errorf("%s has done nothing yet in this slice", name)
	}
	own := san.Action{Task: t, K: int32(k)}
	if after := d.dependent(own); len(after) > 0 {
		return own, fmt.Errorf("%s cannot go back here. After %s come:\n%s", name, d.style.EventText(d.Net, own), d.listed(after))
	}
	return d.Net.Canonical(own), nil
}

// dependent returns what comes after an action in the slice, the first event of each task.
func (d *dialogue) dependent(a san.Action) []san.Action {
	var after []san.Action
	rest := d.slice.Meet(d.lattice.NotAbove(a))
	for t := range san.Task(d.Net.Tasks()) {
		k := rest.At(t) + 1
		if k <= d.slice.At(t) && d.Net.Canonical(san.Action{Task: t, K: int32(k)}) == d.Net.Canonical(a) {
			k++
		}
		if k <= d.slice.At(t) {
			after = append(after, san.Action{Task: t, K: int32(k)})
		}
	}
	return after
}

// maxListed bounds the number of events that an error lists.
const maxListed = 8

func (d *dialogue) listed(as []san.Action) string {
	var b strings.Builder
	for i, a := range as {
		if i == maxListed {
			fmt.Fprintf(&b, "    and %s\n", wording.Plural(len(as)-i, "other"))
			break
		}
		fmt.Fprintf(&b, "    %s: %s\n", event.Printable(d.Net.Name(a.Task)), d.style.EventText(d.Net, a))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// firstReached returns the first slice of the run that includes the current one.
func (d *dialogue) firstReached() slices.Ideal {
	counts := make([]int, d.Net.Tasks())
	left, events := d.slice.Size(), 0
	for a := range d.Net.Order() {
		if left == 0 && events >= d.Net.UnsettledOrder() {
			break
		}
		if d.slice.Has(a) {
			left--
		}
		for _, side := range d.Net.Sides(a) {
			counts[side.Task] = int(side.K)
			events++
		}
	}
	slice, _ := d.lattice.Ideal(counts) // a beginning of the run is a slice
	return slice
}
