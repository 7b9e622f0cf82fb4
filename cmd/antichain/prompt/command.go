package prompt

import (
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// command is what a person can say.
type command struct {
	name  string
	args  string // for its usage
	short string
	long  string // more of it; may be empty

	least, most int  // words behind it
	open        bool // any number of them
	repeats     bool // by an empty line

	do       func(d *dialogue, rest string, args []string) error
	complete func(d *dialogue, before []string) []string // what the next word can be; nil for anything
}

// group is a list of commands under a heading.
type group struct {
	heading  string
	commands []*command
}

// groups are all commands, in the order in which help lists them, and aliases words that users of
// debuggers are used to. init sets them, since help itself looks at them.
var (
	groups  []group
	aliases map[string]*command
)

func init() {
	groups = []group{
		{"The slice that is looked at", []*command{violation, slice, task, formula}},
		{"Other slices", []*command{next, back, happened, now}},
		{"The program as it stands now", []*command{goroutines, stack, variables, print, set, dlv}},
		{"Going on", []*command{resume, replace, detach, end, quit, help}},
	}
	aliases = map[string]*command{
		"c": resume, "continue": resume, "exit": quit, "q": quit, "?": help,
		"n": next, "b": back, "s": slice, "p": print,
	}
}

// commandNames are the names of all commands.
func commandNames() []string {
	var names []string
	for _, g := range groups {
		for _, c := range g.commands {
			names = append(names, c.name)
		}
	}
	return names
}

// find returns the command that a word is the beginning of.
func find(word string) (*command, error) {
	if c := aliases[word]; c != nil {
		return c, nil
	}
	var found []*command
	for _, g := range groups {
		for _, c := range g.commands {
			switch {
			case c.name == word:
				return c, nil
			case strings.HasPrefix(c.name, word):
				found = append(found, c)
			}
		}
	}
	switch len(found) {
	case 0:
		hint := "help lists the commands"
		if near := source.Closest(word, commandNames()); near != "" {
			hint = fmt.Sprintf("did you mean %s? %s", near, hint)
		}
		return nil, fmt.Errorf("there is no command %q: %s", word, hint)
	case 1:
		return found[0], nil
	}
	var names []string
	for _, c := range found {
		names = append(names, c.name)
	}
	return nil, fmt.Errorf("%q can be %s", word, strings.Join(names, " or "))
}

func (c *command) usage() string { return strings.TrimSpace(c.name + " " + c.args) }

var help = &command{
	name: "help", args: "[COMMAND]", short: "list the commands, or tell more of one", most: 1,
	do: func(d *dialogue, _ string, args []string) error {
		if len(args) == 0 {
			d.listCommands()
			return nil
		}
		c, err := find(args[0])
		if err != nil {
			return err
		}
		fmt.Fprintf(d, "%s\n    %s\n", c.usage(), c.short)
		if c.long != "" {
			fmt.Fprintf(d, "\n%s\n", c.long)
		}
		return nil
	},
	complete: first(func(*dialogue) []string { return commandNames() }),
}

func (d *dialogue) listCommands() {
	width := 0
	for _, g := range groups {
		for _, c := range g.commands {
			width = max(width, len(c.usage()))
		}
	}
	for _, g := range groups {
		fmt.Fprintf(d, "%s\n", g.heading)
		for _, c := range g.commands {
			fmt.Fprintf(d, "    %-*s  %s\n", width, c.usage(), c.short)
		}
	}
	fmt.Fprintln(d, "\nThe beginning of a command is enough. TASK is a goroutine's name, or a TIV that stands for it.")
}

// first completes the first word behind a command.
func first(of func(*dialogue) []string) func(*dialogue, []string) []string {
	return func(d *dialogue, before []string) []string {
		if len(before) > 0 {
			return nil
		}
		return of(d)
	}
}

// complete returns what the last word of a line can be.
func (d *dialogue) complete(line string) []string {
	words := strings.Fields(line)
	last := ""
	if len(words) > 0 && !strings.HasSuffix(line, " ") {
		words, last = words[:len(words)-1], words[len(words)-1]
	}
	candidates := commandNames()
	if len(words) > 0 {
		c, err := find(words[0])
		if err != nil || c.complete == nil {
			return nil
		}
		if c == replace {
			return files(last)
		}
		candidates = c.complete(d, words[1:])
	}
	var fit []string
	for _, word := range candidates {
		if strings.HasPrefix(word, last) {
			fit = append(fit, word)
		}
	}
	return fit
}
