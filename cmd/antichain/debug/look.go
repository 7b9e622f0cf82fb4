package debug

import (
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/console"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/kripke"
	"github.com/antichain-go/antichain/tlcheck/steps"
	"github.com/antichain-go/antichain/tlcheck/temporal"
	"github.com/antichain-go/antichain/tracer/event"
)

var show = &command{
	Name: "show", Short: "where all processes are, and the variables",
	Do: func(d *dialogue, _ string, _ []string) error { return d.show(d.stack.Here(), nil) },
}

// count says how many processes there are.
func (d *dialogue) count() string {
	switch n := len(d.Processes()); {
	case n == 1:
		return "1 " + d.Word
	case strings.HasSuffix(d.Word, "s"):
		return fmt.Sprintf("%d %ses", n, d.Word)
	default:
		return fmt.Sprintf("%d %ss", n, d.Word)
	}
}

// show shows a state, with a mark at what is different from another one.
func (d *dialogue) show(s kripke.State, since *kripke.State) error {
	changed := map[kripke.Field]bool{}
	if since != nil {
		for _, f := range kripke.Changed(d.System, *since, s) {
			changed[f] = true
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "state %d\n", s)
	var shared, own []string
	width := 0
	for _, f := range d.Describe(s) {
		if f.Process != kripke.Nobody && f.Name == kripke.At {
			width = max(width, len(event.Printable(d.Processes()[f.Process])))
		}
	}
	flush := func() {
		if len(own) > 0 {
			b.WriteString("    " + strings.Repeat(" ", width) + "   " + strings.Join(own, ", ") + "\n")
		}
		own = nil
	}
	for _, f := range d.Describe(s) {
		text := event.Printable(f.Value)
		switch {
		case f.Process == kripke.Nobody:
			shared = append(shared, d.marked(f, changed, f.Name+" = "+text))
		case f.Name == kripke.At:
			flush()
			fmt.Fprintf(&b, "    %-*s  %s\n", width, event.Printable(d.Processes()[f.Process]), d.marked(f, changed, text))
			b.WriteString(d.line(s, f.Process, width))
		default:
			name := strings.TrimPrefix(f.Name, d.Processes()[f.Process]+".")
			own = append(own, d.marked(f, changed, event.Printable(name)+" = "+text))
		}
	}
	flush()
	if len(shared) > 0 {
		b.WriteString("    " + strings.Join(shared, ", ") + "\n")
	}
	_, err := d.Write([]byte(b.String()))
	return err
}

// marked marks what has changed.
func (d *dialogue) marked(f kripke.Field, changed map[kripke.Field]bool, text string) string {
	if changed[f] {
		return d.style.Bold("*" + text)
	}
	return text
}

// line is the line of the source where a process stands, "" if it is not known.
func (d *dialogue) line(s kripke.State, process, width int) string {
	if d.Place == nil {
		return ""
	}
	at := d.Place(s, process)
	if text, ok := d.style.Source.Line(at); ok {
		return "    " + strings.Repeat(" ", width) + "   " + d.style.Dim(at+": "+event.Printable(strings.TrimSpace(text))) + "\n"
	}
	return ""
}

var process = &command{
	Name: "process", Args: "NAME", Short: "where one process is, its variables, and what it can do", Least: 1, Most: 1,
	Do: func(d *dialogue, _ string, args []string) error {
		p, err := d.processNamed(args[0])
		if err != nil {
			return err
		}
		here := d.stack.Here()
		there := false
		for _, f := range d.Describe(here) {
			if f.Process == p {
				there = true
				fmt.Fprintf(d, "    %s = %s\n", event.Printable(f.Name), event.Printable(f.Value))
			}
		}
		if !there {
			fmt.Fprintf(d, "%s is not there yet.\n", event.Printable(args[0]))
		}
		all, err := d.Moves(nil, here)
		for i, m := range all {
			if int(m.Process) == p {
				fmt.Fprintf(d, "    move %d: %s\n", i+1, d.Label(here, m))
			}
		}
		return err
	},
	Complete: console.First(func(d *dialogue) []string { return d.Processes() }),
}

var holds = &command{
	Name: "holds", Args: "FORMULA", Short: "whether a formula is true of this state alone, or of the way here", Least: 1, Open: true,
	Long: "A formula with temporal operators is read on the states of the stack, from where it begins up to here.",
	Do: func(d *dialogue, rest string, _ []string) error {
		f, err := d.parse(rest)
		if err != nil {
			return err
		}
		states, where := d.stack.Path(), fmt.Sprintf("on the way of %s", report.Plural(len(d.stack.Path()), "state"))
		if steps.Propositional(f) {
			states, where = []kripke.State{d.stack.Here()}, "here"
		}
		true_, err := d.holds(f, states)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(d, "%s is %v %s.\n", f, true_, where)
		return err
	},
}

// holds evaluates a formula on states.
func (d *dialogue) holds(f *temporal.Formula, states []kripke.State) (bool, error) {
	ctx, cancel := d.bounded()
	defer cancel()
	return steps.Holds(ctx, d.System, f, states)
}

var stack = &command{
	Name: "stack", Short: "the steps that were taken",
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
			fmt.Fprintf(d, "%4d  %s: %s, from state %d to %d\n", i+1, what, report.Plural(len(t.States)-1, "move"), t.States[0], t.States[len(t.States)-1])
		}
		return nil
	},
}

// maxPath is how many states of a path are shown.
const maxPath = 200

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
		return d.path(states)
	},
	Complete: console.First(func(*dialogue) []string { return []string{"all"} }),
}

func (d *dialogue) path(states []kripke.State) error {
	fmt.Fprintf(d, "      %s\n", kripke.Text(d.System, states[0]))
	for i, s := range states[1:] {
		if i == maxPath {
			fmt.Fprintf(d, "      and %s\n", report.Plural(len(states)-1-i, "further move"))
			break
		}
		var changes []string
		for _, f := range kripke.Changed(d.System, states[i], s) {
			changes = append(changes, kripke.FieldText(d.System, f))
		}
		who, err := d.mover(states[i], s)
		if err != nil {
			return err
		}
		fmt.Fprintf(d, "%4d  %s  → state %d: %s\n", i+1, d.style.Bold(who), s, event.Printable(strings.Join(changes, " ")))
	}
	return nil
}

// mover returns the name of the process whose move leads from one state to the next.
func (d *dialogue) mover(from, to kripke.State) (string, error) {
	all, err := d.Moves(nil, from)
	for _, m := range all {
		if m.To == to && m.Process != kripke.Nobody {
			return d.Processes()[m.Process], nil
		}
	}
	return "-", err
}
