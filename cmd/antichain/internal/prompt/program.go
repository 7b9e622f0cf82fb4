package prompt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/halt"
	"github.com/antichain-go/antichain/internal/tracer/control"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tracer/event"
)

var goroutines = &command{
	Name: "goroutines", Short: "where the goroutines are now",
	Long: "If there are very many, only the first are listed; stack TASK shows any.",
	Do: func(d *dialogue, _ string, _ []string) error {
		all, err := d.goroutines()
		if err != nil {
			return err
		}
		return halt.WriteGoroutines(d, all, d.Root)
	},
}

// goroutines returns the goroutines of the program, with their names.
func (d *dialogue) goroutines() ([]halt.Goroutine, error) {
	tasks, err := d.Program.Tasks()
	var all []halt.Goroutine
	for _, t := range tasks {
		name := d.TaskName(t.Ctx)
		cast := slices.ContainsFunc(d.tiva, func(b tlcheck.Binding) bool { return d.Net.Name(b.Task) == name })
		all = append(all, halt.Goroutine{Task: t, Name: name, Display: d.DisplayName(t.Ctx), Involved: cast})
	}
	return all, err
}

var stack = &command{
	Name: "stack", Args: "TASK", Short: "the calls of one goroutine, the innermost first", Least: 1, Most: 1,
	Do: func(d *dialogue, _ string, args []string) error {
		all, err := d.goroutines()
		if err != nil {
			return err
		}
		name := args[0]
		for _, b := range d.tiva {
			if b.TIV == name {
				name = d.Net.Name(b.Task)
			}
		}
		var names []string
		for _, g := range all {
			if g.Name == name {
				return halt.WriteStack(d, g, d.Root)
			}
			if g.Name != "" {
				names = append(names, g.Name)
			}
		}
		if _, ok := d.Net.Lookup(name); ok {
			return fmt.Errorf("%s has ended", event.Printable(name))
		}
		return unknown("goroutine", name, names)
	},
	Complete: console.First((*dialogue).taskNames),
}

var variables = &command{
	Name: "variables", Short: "the package variables that the specification names, with their values",
	Do: func(d *dialogue, _ string, _ []string) error {
		all, err := d.Program.Variables()
		if err != nil {
			return err
		}
		shown := false
		for _, v := range all {
			if v.Package == d.Package {
				shown = true
				if err := d.printValue(v.Path); err != nil {
					return err
				}
			}
		}
		if !shown {
			fmt.Fprintln(d, "The specification names no package variable, or their packages are not initialised yet.")
		}
		return nil
	},
}

// printValue prints the value of a variable, or why it has none.
func (d *dialogue) printValue(path string) error {
	v, err := d.Program.Get(d.Package, path)
	var refused *control.RefusalError
	switch {
	case errors.As(err, &refused):
		fmt.Fprintf(d, "%s\n", event.Printable(refused.Error()))
		return nil
	case err != nil:
		return err
	}
	fmt.Fprintf(d, "%s = %s, of type %s\n", event.Printable(path), event.Printable(v.Value.String()), event.Printable(v.Type))
	return nil
}

var print = &command{
	Name: "print", Args: "NAME", Short: "one of these variables, or one of its fields or elements", Least: 1, Open: true,
	Long: "For example: print queue.items[3].name. task TASK shows variables of functions as they\n" +
		"were recorded.",
	Do:       func(d *dialogue, rest string, _ []string) error { return d.printValue(rest) },
	Complete: console.First((*dialogue).variableNames),
}

var set = &command{
	Name: "set", Args: "NAME VALUE", Short: "change one of these variables", Least: 1, Open: true,
	Long: "VALUE is true, false, a number, a text in double quotes, or nil. The program rejects a value that\n" +
		"does not fit the type of the variable. The change is not an event: it enters the run when the program\n" +
		"next records the variable. A goroutine that is halted between two records may be about to overwrite\n" +
		"the value.",
	Do: func(d *dialogue, rest string, _ []string) error {
		path, text := cutName(rest)
		if text == "" {
			return errors.New("usage: set NAME VALUE")
		}
		value, err := valueOf(text)
		if err != nil {
			return err
		}
		v, err := d.Program.Set(d.Package, path, value)
		if err != nil {
			return printable(err)
		}
		fmt.Fprintf(d, "%s = %s, of type %s\n", event.Printable(path), event.Printable(v.Value.String()), event.Printable(v.Type))
		return nil
	},
	Complete: console.First((*dialogue).variableNames),
}

// cutName separates a name from the value behind it, and from = if there is one. A name has spaces
// only in keys of maps, which are in quotes.
func cutName(line string) (name, value string) {
	quoted := false
	end := strings.IndexFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && (r == ' ' || r == '=')
	})
	if end < 0 {
		return line, ""
	}
	return line[:end], strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line[end:]), "="))
}

func valueOf(text string) (event.Value, error) {
	if text == "nil" {
		return event.NullValue(), nil
	}
	var v event.Value
	err := v.UnmarshalJSON([]byte(text))
	if err == nil && v.Kind() != event.List && v.Kind() != event.Object {
		return v, nil
	}
	return v, fmt.Errorf("%s is not a value: write true, false, a number, a text in double quotes, or nil", event.Printable(text))
}

// printable makes what a program says safe to print; other errors stay as they are.
func printable(err error) error {
	if refused, ok := errors.AsType[*control.RefusalError](err); ok {
		return errors.New(event.Printable(refused.Reason))
	}
	return err
}

// variableNames are the names that the specification has for variables.
func (d *dialogue) variableNames() []string {
	all, err := d.Program.Variables()
	if err != nil {
		return nil // said when it is asked for in earnest
	}
	var names []string
	for _, v := range all {
		if v.Package == d.Package {
			names = append(names, v.Path)
		}
	}
	return names
}

var dlv = console.DelveCommand(func(d *dialogue) (context.Context, int, error) {
	return d.ctx, d.Program.PID(), nil
})
