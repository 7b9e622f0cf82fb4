package prompt

import (
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
)

type command = console.Command[*dialogue]

// commands are all commands. init sets them: help refers to them, which a declaration would make an
// initialisation cycle.
var commands console.Commands[*dialogue]

func init() {
	commands = console.Commands[*dialogue]{
		Groups: []console.Group[*dialogue]{
			{Heading: "The slice in view", Commands: []*command{violation, slice, task, formula}},
			{Heading: "Other slices", Commands: []*command{next, back, happened, now}},
			{Heading: "The program as it is now", Commands: []*command{goroutines, stack, variables, print, set, dlv}},
			{Heading: "Going on", Commands: []*command{resume, replace, detach, end, quit, help}},
		},
		Aliases: map[string]*command{
			"c": resume, "continue": resume, "exit": quit, "q": quit, "?": help,
			"n": next, "b": back, "s": slice, "p": print,
		},
		Closing: "TASK is the name of a goroutine, or a task variable that stands for it.",
	}
}

var help = console.HelpCommand(&commands)

var resume = &command{
	Name: "resume", Short: "continue the program with the same specification and history",
	Do: func(d *dialogue, _ string, _ []string) error {
		d.decision = &Decision{Action: Resume}
		return nil
	},
}

var replace = &command{
	Name: "replace", Args: "FILE", Short: "continue the program with the specification in FILE, and discard the history", Least: 1, Open: true,
	Long: "FILE can name only functions and variables that the program was built to record, as for a trace in\n" +
		"check and table; others need another build.",
	Do: func(d *dialogue, rest string, _ []string) error {
		properties, err := d.Load(rest)
		if err != nil {
			return err
		}
		if len(properties) == 0 {
			return fmt.Errorf("%s has no property", rest)
		}
		d.decision = &Decision{Action: Replace, Properties: properties}
		return nil
	},
	Files: true,
}

var detach = &command{
	Name: "detach", Short: "continue the program and stop watching it",
	Do: func(d *dialogue, _ string, _ []string) error {
		d.decision = &Decision{Action: Detach}
		return nil
	},
}

var end = &command{
	Name: "end", Short: "end the program and antichain",
	Do: func(d *dialogue, _ string, _ []string) error {
		ends, err := console.Confirm(d, "End the program?")
		if d.broken = err; ends {
			d.decision = &Decision{Action: End}
		}
		return nil
	},
}

// quit is the command that ctrl-D stands for.
var quit = &command{
	Name: "quit", Short: "end the program, or detach from one that antichain did not start; so does ctrl-D",
	Do: func(d *dialogue, _ string, _ []string) error {
		if d.Attached {
			return detach.Do(d, "", nil)
		}
		return end.Do(d, "", nil)
	},
}
