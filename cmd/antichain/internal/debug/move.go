package debug

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/steps"
)

var moves = &command{
	Name: "moves", Short: "what can come next",
	Do: func(d *dialogue, _ string, _ []string) error {
		all, err := d.Moves(nil, d.stack.Here())
		for i, m := range all {
			fmt.Fprintf(d, "%4d  %s\n", i+1, d.view.Text(d.stack.Here(), m))
		}
		if err == nil && len(all) == 0 {
			fmt.Fprintln(d, "Nothing: this is an end.")
		}
		return err
	},
}

var move = &command{
	Name: "move", Args: "N", Short: "make one of these moves", Least: 1, Most: 1,
	Do: func(d *dialogue, _ string, args []string) error {
		all, err := d.Moves(nil, d.stack.Here())
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 1 || n > len(all) {
			return fmt.Errorf("there is no move %s: moves lists all %d", args[0], len(all))
		}
		return d.move(all[n-1])
	},
}

func (d *dialogue) move(m kripke.Move) error {
	fmt.Fprintln(d, d.view.Text(d.stack.Here(), m))
	return d.arrive(d.stack.Move(m).Step)
}

var next = &command{
	Name: "next", Args: "[PROCESS]", Short: "make the next move, of any process or of one", Open: true, Repeats: true,
	Long: "If there are several, next makes the first one that moves lists.",
	Do: func(d *dialogue, name string, _ []string) error {
		all, err := d.Moves(nil, d.stack.Here())
		if err != nil {
			return err
		}
		if name == "" {
			if len(all) == 0 {
				return errors.New("no move is possible: this is a final state")
			}
			return d.move(all[0])
		}
		p, err := d.view.Named(name)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(m kripke.Move) bool { return int(m.Process) == p })
		if i < 0 {
			return fmt.Errorf("%s cannot move here: moves lists the possible moves", name)
		}
		return d.move(all[i])
	},
	Complete: console.First(func(d *dialogue) []string { return d.Processes() }),
}

var back = &command{
	Name: "back", Short: "take one move back, on the path taken", Repeats: true,
	Long: "The rest of the step loses its formula. remove takes back a whole step; backward goes back in any interleaving.",
	Do: func(d *dialogue, _ string, _ []string) error {
		var left []kripke.State
		for len(left) == 0 { // a step without moves has nothing to undo
			last, err := d.last()
			if err != nil {
				return errors.New("this is where the stack begins")
			}
			left = last.States[:len(last.States)-1]
			d.stack.Remove()
		}
		for _, s := range left[1:] {
			m, err := d.moveTo(s)
			if err != nil {
				return err
			}
			d.stack.Move(m)
		}
		return d.view.Show(d.stack.Here(), nil)
	},
}

// moveTo returns the first move to a state that follows the present one.
func (d *dialogue) moveTo(s kripke.State) (kripke.Move, error) {
	all, err := d.Moves(nil, d.stack.Here())
	i := slices.IndexFunc(all, func(m kripke.Move) bool { return m.To == s })
	if i < 0 {
		return kripke.Move{}, errors.Join(err, fmt.Errorf("no move leads to state %d", s))
	}
	return all[i], nil
}

var restart = &command{
	Name: "restart", Args: "[N]", Short: "empty the stack and begin in an initial state", Most: 1,
	Long: "If there are several initial states, N chooses one, from 1.",
	Do: func(d *dialogue, _ string, args []string) error {
		n := 1
		if len(args) > 0 {
			n, _ = strconv.Atoi(args[0])
		}
		initial := d.Initial()
		if n < 1 || n > len(initial) {
			return fmt.Errorf("there is no initial state %s: there are %d", args[0], len(initial))
		}
		d.begin(initial[n-1])
		return d.view.Show(d.stack.Here(), nil)
	},
}

// arrive reports a step, and shows the state where it ends.
func (d *dialogue) arrive(s *steps.Step) error {
	if n := len(s.States) - 1; n != 1 {
		fmt.Fprintf(d, "A step of %d moves.\n", n)
	}
	if s.Cycle >= 0 {
		fmt.Fprintf(d, "It can be continued for ever: behind the last state comes state %d of the step again, and the formula is true after each round.\n", s.Cycle+1)
	}
	from := s.States[0]
	return d.view.Show(s.States[len(s.States)-1], &from)
}
