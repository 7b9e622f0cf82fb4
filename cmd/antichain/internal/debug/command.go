package debug

import "github.com/antichain-go/antichain/cmd/antichain/internal/console"

type command = console.Command[*dialogue]

// commands are all commands. init sets them, since help itself refers to them.
var commands console.Commands[*dialogue]

func init() {
	commands = console.Commands[*dialogue]{
		Groups: []console.Group[*dialogue]{
			{Heading: "Temporal steps", Commands: []*command{step, shortest, minimal, maximal, every, again, replace,
				remove, backward}},
			{Heading: "Single moves", Commands: []*command{moves, move, next, back, restart}},
			{Heading: "Looking", Commands: []*command{show, process, holds, stack, path, draw}},
			{Heading: "Other", Commands: []*command{set, help, quit}},
		},
		Aliases: map[string]*command{
			"?": help, "n": next, "b": back, "s": step, "q": quit, "exit": quit, "bt": stack,
			"print": holds, "p": holds,
		},
		Closing: "FORMULA is one of linear temporal logic over finite sequences.",
	}
}

var help = &command{
	Name: "help", Args: "[COMMAND]", Short: "list the commands, or explain one", Most: 1,
	Do:       func(d *dialogue, _ string, args []string) error { return commands.Help(d, args) },
	Complete: console.First(func(*dialogue) []string { return commands.Names() }),
}

var quit = &command{
	Name: "quit", Short: "leave; so does ctrl-D",
	Do: func(d *dialogue, _ string, _ []string) error {
		d.done = true
		return nil
	},
}
