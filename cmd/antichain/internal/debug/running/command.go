package running

import (
	"fmt"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
)

type command = console.Command[*dialogue]

// commands are all commands. init sets them, since help itself looks at them.
var commands console.Commands[*dialogue]

func init() {
	commands = console.Commands[*dialogue]{
		Groups: []console.Group[*dialogue]{
			{Heading: "Temporal steps", Commands: []*command{step, shortest, minimal}},
			{Heading: "Single moves", Commands: []*command{moves, next, hold, release}},
			{Heading: "Looking", Commands: []*command{show, process, holds, path}},
			{Heading: "The program as it is now", Commands: []*command{goroutines, calls, dlv}},
			{Heading: "Other", Commands: []*command{set, detach, quit, help}},
			{Heading: "Only of what can be gone through again: keep a trace (antichain run -o)",
				Commands: forRecords()},
		},
		Aliases: map[string]*command{
			"?": help, "n": next, "s": step, "q": quit, "exit": quit, "print": holds, "p": holds,
		},
		Closing: "FORMULA is one of linear temporal logic over finite sequences.",
	}
}

// forRecords are the commands of the debugger for recorded runs that a process cannot execute.
func forRecords() (all []*command) {
	for _, c := range [][2]string{
		{"again", "satisfy a formula in another way"}, {"replace", "take another step instead"},
		{"remove", "take a step back"}, {"back", "take a move back"}, {"backward", "go back by a formula"},
		{"restart", "begin again"}, {"every", "all steps, one after the other"},
		{"maximal", "steps that cannot be longer"},
	} {
		all = append(all, &command{
			Name: c[0], Args: "...", Short: c[1], Open: true,
			Do: func(*dialogue, string, []string) error {
				return fmt.Errorf("%s does not work on a process, which runs only once and forward: keep a trace with antichain run -o, and debug that", c[0])
			},
		})
	}
	return all
}

var help = console.HelpCommand(&commands)

var set = &command{
	Name: "set", Args: "[time DURATION]", Short: "how long a step may take, such as 30s or 5m", Most: 2,
	Do: func(d *dialogue, _ string, args []string) error {
		switch {
		case len(args) == 0:
			_, err := fmt.Fprintf(d, "    time  %s\n", d.time)
			return err
		case args[0] != "time":
			return fmt.Errorf("a process has only the setting time: the others are for searches")
		case len(args) < 2:
			return fmt.Errorf("usage: set time DURATION")
		}
		t, err := time.ParseDuration(args[1])
		if err != nil || t <= 0 {
			return fmt.Errorf("time %s: must be a time above zero, such as 30s or 5m", args[1])
		}
		d.time = t
		return nil
	},
	Complete: console.First(func(*dialogue) []string { return []string{"time"} }),
}

var detach = &command{
	Name: "detach", Short: "leave, continue the program and stop watching it",
	Do: func(d *dialogue, _ string, _ []string) error { return d.decide(Detach) },
}

var quit = &command{
	Name: "quit", Short: "leave and end the program; so does ctrl-D",
	Do: func(d *dialogue, _ string, _ []string) error {
		if _, script := d.Console.(*console.Script); !script && d.Ending() == "" {
			if ends, err := console.Confirm(d, "End the program?"); !ends && err == nil {
				return nil
			}
		}
		return d.decide(End)
	},
}

func (d *dialogue) decide(what Decision) error {
	d.decision = &what
	return nil
}
