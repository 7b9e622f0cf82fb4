// Package view prints states of transition systems, and the moves between them.
package view

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/source"
	"github.com/antichain-go/antichain/tracer/event"
)

// View shows the states of a system.
type View struct {
	kripke.System
	Out  io.Writer
	Word string // singular noun for its processes

	// Place returns the source position of a process, as "file.go:line"; "" for none. It is nil
	// without a source.
	Place func(s kripke.State, process int) string
	// Runs returns the function that a process runs; "" if it is unknown. It is nil if processes
	// are not goroutines.
	Runs  func(process int) string
	Style report.Style

	undefined map[string]bool // reported propositions
}

// Count returns the number of processes with their noun.
func (v *View) Count() string {
	return wording.Plural(len(v.Processes()), v.Word)
}

// Show shows a state, and marks differences from another one.
func (v *View) Show(s kripke.State, since *kripke.State) error {
	changed := map[kripke.Field]bool{}
	if since != nil {
		for _, f := range kripke.Changed(v.System, *since, s) {
			changed[f] = true
		}
	}
	var places []kripke.Field
	variables := map[int][]string{} // by process
	width := 0
	for _, f := range v.Describe(s) {
		text := event.Printable(f.Value)
		switch {
		case f.Process == kripke.NoProcess:
			text = event.Printable(f.Name) + " = " + text
		case f.Name == kripke.At:
			places = append(places, f)
			width = max(width, utf8.RuneCountInString(v.name(f.Process)))
			continue
		default:
			text = event.Printable(strings.TrimPrefix(f.Name, v.Processes()[f.Process]+".")) + " = " + text
		}
		variables[f.Process] = append(variables[f.Process], v.marked(f, changed, text))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "state %d\n", s)
	for _, f := range places {
		fmt.Fprintf(&b, "    %-*s  %s\n", width, v.name(f.Process), v.marked(f, changed, event.Printable(f.Value)))
		b.WriteString(v.line(s, f.Process, width))
		if own := variables[f.Process]; len(own) > 0 {
			b.WriteString("    " + strings.Repeat(" ", width) + "   " + strings.Join(own, ", ") + "\n")
		}
	}
	if shared := variables[kripke.NoProcess]; len(shared) > 0 {
		b.WriteString("    " + strings.Join(shared, ", ") + "\n")
	}
	_, err := v.Out.Write([]byte(b.String()))
	return err
}

// name returns the name of a process with the function that it runs, made safe for the terminal.
func (v *View) name(process int) string {
	name := event.Printable(v.Processes()[process])
	if v.Runs == nil {
		return name
	}
	if function := report.GivenName(v.Runs(process)); function != "" {
		return name + " (" + function + ")"
	}
	return name
}

// label describes a move.
func (v *View) label(here kripke.State, m kripke.Move) string {
	return event.Printable(v.Label(here, m))
}

// marked marks a changed field.
func (v *View) marked(f kripke.Field, changed map[kripke.Field]bool, text string) string {
	if changed[f] {
		return v.Style.Bold("*" + text)
	}
	return text
}

// line returns the source line at which a process is; "" if it is unknown.
func (v *View) line(s kripke.State, process, width int) string {
	if v.Place == nil {
		return ""
	}
	at := v.Place(s, process)
	if text, ok := v.Style.Source.Line(at); ok {
		return "    " + strings.Repeat(" ", width) + "   " +
			v.Style.Dim(at+": "+event.Printable(strings.TrimSpace(text))) + "\n"
	}
	return ""
}

// Process shows the location, the variables and the possible moves of a process.
func (v *View) Process(name string, here kripke.State) error {
	p, err := v.Named(name)
	if err != nil {
		return err
	}
	there := false
	for _, f := range v.Describe(here) {
		if f.Process == p {
			there = true
			fmt.Fprintf(v.Out, "    %s = %s\n", event.Printable(f.Name), event.Printable(f.Value))
		}
	}
	if !there {
		fmt.Fprintf(v.Out, "%s is not there yet.\n", event.Printable(name))
	}
	all, err := v.Moves(nil, here)
	for i, m := range all {
		if int(m.Process) == p {
			fmt.Fprintf(v.Out, "    move %d: %s\n", i+1, v.label(here, m))
		}
	}
	return err
}

// Named returns the number of the process with this name.
func (v *View) Named(name string) (int, error) {
	if i := slices.Index(v.Processes(), name); i >= 0 {
		return i, nil
	}
	hint := ""
	if near := source.Closest(name, v.Processes()); near != "" {
		hint = ": did you mean " + near + "?"
	}
	return 0, fmt.Errorf("there is no %s %s%s", v.Word, source.Short(name), hint)
}

// Undefined reports propositions that could not be evaluated, each once. Otherwise a mistake in one
// would look like an answer.
func (v *View) Undefined(undefined []lsl.EvalError) error {
	if v.undefined == nil {
		v.undefined = map[string]bool{}
	}
	for _, t := range undefined {
		what := t.Expr + ": " + t.Reason
		if v.undefined[what] {
			continue
		}
		v.undefined[what] = true
		_, err := fmt.Fprintf(v.Out, "%s is undefined in %s, which counts as false: %s\n",
			event.Printable(source.Short(t.Expr)), wording.Plural(t.Count, "local state"), event.Printable(t.Reason))
		if err != nil {
			return err
		}
	}
	return nil
}

// maxPath limits the states of a path that are shown.
const maxPath = 200

// Path shows the moves between states and their effects.
func (v *View) Path(states []kripke.State) error {
	fmt.Fprintf(v.Out, "      %s\n", event.Printable(kripke.Text(v.System, states[0])))
	for i, s := range states[1:] {
		if i == maxPath {
			fmt.Fprintf(v.Out, "      and %s\n", wording.Plural(len(states)-1-i, "further move"))
			break
		}
		var changes []string
		for _, f := range kripke.Changed(v.System, states[i], s) {
			changes = append(changes, kripke.FieldText(v.System, f))
		}
		who, err := v.mover(states[i], s)
		if err != nil {
			return err
		}
		fmt.Fprintf(v.Out, "%4d  %s  → state %d: %s\n", i+1, v.Style.Bold(who), s,
			event.Printable(strings.Join(changes, " ")))
	}
	return nil
}

// mover returns the name of the process that moves from one state to the next.
func (v *View) mover(from, to kripke.State) (string, error) {
	all, err := v.Moves(nil, from)
	for _, m := range all {
		if m.To == to && m.Process != kripke.NoProcess {
			return v.name(int(m.Process)), nil
		}
	}
	return "-", err
}

// Text describes a move and its process.
func (v *View) Text(here kripke.State, m kripke.Move) string {
	text := v.label(here, m)
	if m.Process == kripke.NoProcess {
		return text
	}
	return v.Style.Bold(v.name(int(m.Process))) + "  " + text
}
