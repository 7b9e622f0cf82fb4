package prompt

import "github.com/antichain-go/antichain/cmd/antichain/internal/console"

type command = console.Command[*dialogue]

// commands are all commands. init sets them, since help itself looks at them.
var commands console.Commands[*dialogue]

func init() {
	commands = console.Commands[*dialogue]{
		Groups: []console.Group[*dialogue]{
			{Heading: "The slice that is looked at", Commands: []*command{violation, slice, task, formula}},
			{Heading: "Other slices", Commands: []*command{next, back, happened, now}},
			{Heading: "The program as it stands now", Commands: []*command{goroutines, stack, variables, print, set, dlv}},
			{Heading: "Going on", Commands: []*command{resume, replace, detach, end, quit, help}},
		},
		Aliases: map[string]*command{
			"c": resume, "continue": resume, "exit": quit, "q": quit, "?": help,
			"n": next, "b": back, "s": slice, "p": print,
		},
		Closing: "TASK is the name of a goroutine, or a task variable that stands for it.",
	}
}

var help = &command{
	Name: "help", Args: "[COMMAND]", Short: "list the commands, or explain one", Most: 1,
	Do:       func(d *dialogue, _ string, args []string) error { return commands.Help(d, args) },
	Complete: console.First(func(*dialogue) []string { return commands.Names() }),
}
