package prompt

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/source"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

var violation = &command{
	Name: "violation", Args: "[N]", Short: "show the violation again, and go back to its slice", Most: 1,
	Long: "If several properties were violated together, N says which one to show.",
	Do: func(d *dialogue, _ string, args []string) error {
		n := 1
		if len(args) > 0 {
			n, _ = strconv.Atoi(args[0])
		}
		switch {
		case len(d.Violations) == 0:
			return fmt.Errorf("no violation to show: the program was halted for another reason")
		case n < 1 || n > len(d.Violations):
			return fmt.Errorf("there is no violation %s: N is at least 1 and at most %d", args[0], len(d.Violations))
		}
		v := d.Violations[n-1]
		d.lookAt(v)
		if v.Finding != nil {
			return report.WriteText(d, v, d.style)
		}
		fmt.Fprintf(d, "%s: %s\n", event.Printable(v.Property.Name), d.style.Verdict(v))
		return report.WriteViolation(d, v, d.style)
	},
}

var slice = &command{
	Name: "slice", Short: "where all goroutines are",
	Do: func(d *dialogue, _ string, _ []string) error { return d.shownSlice().Write(d, d.style) },
}

var task = &command{
	Name: "task", Args: "TASK", Short: "everything known about one goroutine", Least: 1, Most: 1,
	Long: "Only the functions and variables that the specification names are recorded. stack TASK shows all\n" +
		"functions of the program where it is halted now.",
	Do: func(d *dialogue, _ string, args []string) error {
		t, err := d.taskOf(args[0])
		if err != nil {
			return err
		}
		return d.shownSlice().WriteTask(d, d.style, t)
	},
	Complete: console.First((*dialogue).taskNames),
}

var formula = &command{
	Name: "formula", Args: "[PROPERTY] [VARIABLE=TASK...]", Short: "the value of a property and of its parts", Open: true,
	Long: "Without PROPERTY the one of the violation, with its goroutines for the task variables. The value of a\n" +
		"temporal operator depends on how far the run has come.",
	Do: func(d *dialogue, _ string, args []string) error {
		p, tiva, err := d.choose(args)
		if err != nil {
			return err
		}
		e, err := d.evaluate(p, tiva)
		if err != nil {
			return err
		}
		d.property, d.tiva = p, tiva
		return d.shownSlice().WriteValue(d, d.style, p, e)
	},
	Complete: func(d *dialogue, before []string) []string {
		if len(before) == 0 {
			return d.propertyNames()
		}
		p, err := d.propertyOf(before[0])
		if err != nil {
			return nil
		}
		var words []string
		for _, tiv := range spec.TIVs(p.Formula) {
			for _, t := range d.taskNames() {
				words = append(words, tiv+"="+t)
			}
		}
		return words
	},
}

// choose returns the property that is asked about, and the tasks for its TIVs.
func (d *dialogue) choose(args []string) (*spec.Property, []tlcheck.Binding, error) {
	p, n := d.property, 0
	for n < len(args) && !strings.Contains(args[n], "=") {
		n++
	}
	if n > 0 {
		var err error
		if p, err = d.propertyOf(strings.Join(args[:n], " ")); err != nil {
			return nil, nil, err
		}
	}
	if p == nil && len(d.Properties) == 1 {
		p = d.Properties[0]
	}
	if p == nil {
		return nil, nil, fmt.Errorf("name a property: %s", strings.Join(d.propertyNames(), ", "))
	}
	play := map[string]san.Task{}
	if known, ok := d.bindings(p); ok {
		for _, b := range known {
			play[b.TIV] = b.Task
		}
	}
	for _, word := range args[n:] {
		tiv, name, _ := strings.Cut(word, "=")
		t, err := d.taskOf(name)
		if err != nil {
			return nil, nil, err
		}
		play[tiv] = t
	}
	return d.bindAll(p, play)
}

// bindAll returns the property with the task that play has for each of its TIVs. It is an error if
// play lacks one of them, or has others.
func (d *dialogue) bindAll(p *spec.Property, play map[string]san.Task) (*spec.Property, []tlcheck.Binding, error) {
	var tiva []tlcheck.Binding
	var lacking []string
	for _, tiv := range spec.TIVs(p.Formula) {
		t, ok := play[tiv]
		delete(play, tiv)
		if !ok {
			lacking = append(lacking, tiv+"=TASK")
		}
		tiva = append(tiva, tlcheck.Binding{TIV: tiv, Task: t})
	}
	for tiv := range play {
		return nil, nil, fmt.Errorf("%s has no task variable %q", event.Printable(p.Name), tiv)
	}
	if len(lacking) > 0 {
		return nil, nil, fmt.Errorf("give a task for each task variable: formula %s %s", event.Printable(p.Name), strings.Join(lacking, " "))
	}
	return p, tiva, nil
}

// bindings returns the tasks for the TIVs of a property, if they are known: if the dialogue is
// about this property, or a violation of it was found.
func (d *dialogue) bindings(p *spec.Property) ([]tlcheck.Binding, bool) {
	if p == d.property {
		return d.tiva, true
	}
	for _, v := range d.Violations {
		if v.Property == p {
			return v.Witness.TIVA, true
		}
	}
	return nil, false
}

func (d *dialogue) evaluate(p *spec.Property, tiva []tlcheck.Binding) (*tlcheck.Explanation, error) {
	return tlcheck.Evaluate(d.ctx, d.Net, p, d.lattice.Maximal(d.slice), tiva, d.Options)
}

func (d *dialogue) propertyNames() []string {
	var names []string
	for _, p := range d.Properties {
		names = append(names, event.Printable(p.Name))
	}
	return names
}

func (d *dialogue) propertyOf(name string) (*spec.Property, error) {
	for _, p := range d.Properties {
		if p.Name == name {
			return p, nil
		}
	}
	return nil, unknown("property", name, d.propertyNames())
}

// taskOf returns the task of that name, or that a TIV of that name stands for.
func (d *dialogue) taskOf(name string) (san.Task, error) {
	if t, ok := d.Net.Lookup(name); ok {
		return t, nil
	}
	for _, b := range d.tiva {
		if b.TIV == name {
			return b.Task, nil
		}
	}
	return 0, unknown("goroutine", name, d.taskNames())
}

func (d *dialogue) taskNames() []string {
	var names []string
	for t := range san.Task(d.Net.Tasks()) {
		names = append(names, d.Net.Name(t))
	}
	return names
}

// maxNames bounds the number of names that an error lists.
const maxNames = 12

// unknown returns the error that there is no such thing, with the names that there are.
func unknown(what, name string, names []string) error {
	hint := "there are " + strings.Join(names[:min(len(names), maxNames)], ", ")
	switch {
	case len(names) == 0:
		hint = "there are none"
	case len(names) > maxNames:
		hint += ", …"
	}
	if near := source.Closest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("there is no %s %q: %s", what, name, event.Printable(hint))
}
