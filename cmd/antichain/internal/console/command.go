package console

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// Command is a command of a dialogue of type D.
type Command[D any] struct {
	Name  string
	Args  string // for its usage
	Short string
	Long  string // details for help; may be empty

	Least, Most int  // numbers of arguments
	Open        bool // any number of arguments
	Repeats     bool // an empty line repeats it

	// Do executes it. rest is the text after the name, args its words.
	Do       func(d D, rest string, args []string) error
	Complete func(d D, before []string) []string // candidates for the next word; nil for none
	Files    bool                                // the arguments are names of files
}

// Usage returns the syntax of the command.
func (c *Command[D]) Usage() string { return strings.TrimSpace(c.Name + " " + c.Args) }

// Group is a list of commands under a heading.
type Group[D any] struct {
	Heading  string
	Commands []*Command[D]
}

// Commands are all commands of a dialogue, in the order in which help lists them.
type Commands[D any] struct {
	Groups  []Group[D]
	Aliases map[string]*Command[D] // familiar words of other debuggers
	Closing string                 // last line of the list
}

// Names are the names of all commands.
func (cs *Commands[D]) Names() []string {
	var names []string
	for _, g := range cs.Groups {
		for _, c := range g.Commands {
			names = append(names, c.Name)
		}
	}
	return names
}

// Find returns the command that the word abbreviates.
func (cs *Commands[D]) Find(word string) (*Command[D], error) {
	if c := cs.Aliases[word]; c != nil {
		return c, nil
	}
	var found []*Command[D]
	for _, g := range cs.Groups {
		for _, c := range g.Commands {
			switch {
			case c.Name == word:
				return c, nil
			case strings.HasPrefix(c.Name, word):
				found = append(found, c)
			}
		}
	}
	switch len(found) {
	case 0:
		hint := "help lists the commands"
		if near := source.Closest(word, cs.Names()); near != "" {
			hint = fmt.Sprintf("did you mean %s? %s", near, hint)
		}
		return nil, fmt.Errorf("there is no command %q: %s", source.Short(word), hint)
	case 1:
		return found[0], nil
	}
	var names []string
	for _, c := range found {
		names = append(names, c.Name)
	}
	return nil, fmt.Errorf("%q can be %s", word, strings.Join(names, " or "))
}

// Obey executes a line. It returns the line that an empty line repeats then; "" for none.
func (cs *Commands[D]) Obey(d D, line string) (again string, err error) {
	line = strings.TrimSpace(line)
	if line == "" {
		return "", nil
	}
	word := strings.Fields(line)[0]
	c, err := cs.Find(word)
	if err != nil {
		return "", err
	}
	rest := strings.TrimSpace(line[len(word):])
	args := strings.Fields(rest)
	if len(args) < c.Least || !c.Open && len(args) > c.Most {
		return "", fmt.Errorf("usage: %s", c.Usage())
	}
	if err := c.Do(d, rest, args); err != nil || !c.Repeats {
		return "", err
	}
	return line, nil
}

// Help lists the commands, or describes one.
func (cs *Commands[D]) Help(w io.Writer, args []string) error {
	if len(args) == 0 {
		return cs.list(w)
	}
	c, err := cs.Find(args[0])
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s\n    %s\n", c.Usage(), c.Short)
	if c.Long != "" {
		text += "\n" + c.Long + "\n"
	}
	_, err = io.WriteString(w, text)
	return err
}

func (cs *Commands[D]) list(w io.Writer) error {
	width := 0
	for _, g := range cs.Groups {
		for _, c := range g.Commands {
			width = max(width, len(c.Usage()))
		}
	}
	var b strings.Builder
	for _, g := range cs.Groups {
		fmt.Fprintf(&b, "%s\n", g.Heading)
		for _, c := range g.Commands {
			fmt.Fprintf(&b, "    %-*s  %s\n", width, c.Usage(), c.Short)
		}
	}
	fmt.Fprintf(&b, "\nThe beginning of a command is enough. %s\n", cs.Closing)
	_, err := io.WriteString(w, b.String())
	return err
}

// Complete returns the candidates for the last word of a line.
func (cs *Commands[D]) Complete(d D, line string) []string {
	words := strings.Fields(line)
	last := ""
	if len(words) > 0 && !strings.HasSuffix(line, " ") {
		words, last = words[:len(words)-1], words[len(words)-1]
	}
	candidates := cs.Names()
	if len(words) > 0 {
		c, err := cs.Find(words[0])
		switch {
		case err != nil:
			return nil
		case c.Files:
			return files(last)
		case c.Complete == nil:
			return nil
		}
		candidates = c.Complete(d, words[1:])
	}
	var fit []string
	for _, word := range candidates {
		if strings.HasPrefix(word, last) {
			fit = append(fit, word)
		}
	}
	return fit
}

// First completes the first argument of a command.
func First[D any](of func(D) []string) func(D, []string) []string {
	return func(d D, before []string) []string {
		if len(before) > 0 {
			return nil
		}
		return of(d)
	}
}

// HelpCommand is the command that lists all commands, or explains one.
func HelpCommand[D io.Writer](all *Commands[D]) *Command[D] {
	return &Command[D]{
		Name: "help", Args: "[COMMAND]", Short: "list the commands, or explain one", Most: 1,
		Do:       func(d D, _ string, args []string) error { return all.Help(d, args) },
		Complete: First(func(D) []string { return all.Names() }),
	}
}

// ScriptError is an error in a script.
type ScriptError struct {
	Line int
	Err  error
}

func (e *ScriptError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *ScriptError) Unwrap() error { return e.Err }

// Converse executes lines until over returns true, or there are no more, which is io.EOF. A script
// ends at its first error, a *ScriptError.
func (cs *Commands[D]) Converse(c Console, d D, over func() bool) error {
	script, _ := c.(*Script)
	again := "" // the line that an empty line repeats
	for !over() {
		line, err := c.ReadLine("(antichain) ", func(line string) []string { return cs.Complete(d, line) })
		switch {
		case errors.Is(err, ErrInterrupted):
			continue
		case errors.Is(err, io.EOF), err != nil && script == nil:
			return err
		case err == nil:
			again, err = cs.Obey(d, cmp.Or(line, again))
		}
		if err != nil && script != nil {
			return &ScriptError{Line: script.Line(), Err: err}
		}
		if err != nil {
			fmt.Fprintln(c, err)
		}
	}
	return nil
}

// files are the files and directories whose names begin with prefix.
func files(prefix string) []string {
	dir, base := filepath.Split(prefix)
	entries, err := os.ReadDir(filepath.Join(".", dir))
	if filepath.IsAbs(dir) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var names []string
	for _, e := range entries {
		hidden := strings.HasPrefix(e.Name(), ".") && base == ""
		if !strings.HasPrefix(e.Name(), base) || hidden {
			continue
		}
		name := dir + e.Name()
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return names
}
