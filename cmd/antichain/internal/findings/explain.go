package findings

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/builtins"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/source"
)

// Explain prints an explanation of all built-in properties, of the one that args name, or of one of
// its programs.
func Explain(w io.Writer, args []string) error {
	switch len(args) {
	case 0:
		return listBuiltins(w)
	case 1, 2:
	default:
		return fmt.Errorf("unexpected argument %s: name one property, and at most one program", args[2])
	}
	if _, err := builtin.Parse(args[0]); err != nil {
		return fmt.Errorf("%w: the properties are %s", err, wording.List(Names(Known)))
	}
	topic, _ := builtins.Find(args[0])
	if len(args) == 1 {
		return explainBuiltin(w, topic)
	}
	i := slices.IndexFunc(topic.Programs, func(p builtins.Program) bool { return p.Name == args[1] })
	if i < 0 {
		hint := ""
		if near := source.Closest(args[1], programNames(topic)); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		return fmt.Errorf("no program %q for %s%s: the programs are %s", args[1], topic.Name, hint, wording.List(programNames(topic)))
	}
	source, err := topic.Programs[i].Source()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, source)
	return err
}

func programNames(t *builtins.Topic) []string {
	var names []string
	for _, p := range t.Programs {
		names = append(names, p.Name)
	}
	return names
}

// Complete returns the names with which args can go on: of properties, or of programs.
func Complete(args []string) []string {
	switch len(args) {
	case 0:
		return Names(Known)
	case 1:
		if topic, ok := builtins.Find(args[0]); ok {
			return programNames(topic)
		}
	}
	return nil
}

// listBuiltins prints a line for each property.
func listBuiltins(w io.Writer) error {
	var b strings.Builder
	for _, p := range Known {
		topic, _ := builtins.Find(string(p))
		off := ""
		if slices.Contains(Expensive, p) {
			off = " (only if --builtin names it)"
		}
		fmt.Fprintf(&b, "%-9s  %s%s\n", p, strings.TrimSuffix(topic.Summary, "."), off)
	}
	b.WriteString("\nantichain builtins PROPERTY explains one of them with a program; " +
		"antichain help builtins explains reports.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// explainBuiltin prints the explanation of a property, its first program, and the names of its
// other programs.
func explainBuiltin(w io.Writer, t *builtins.Topic) error {
	source, err := t.Programs[0].Source()
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n%s\n", t.Name, t.Summary, t.Text, indent(source))
	fmt.Fprintf(&b, "Try it:\n%s", indent(tryIt(t)))
	b.WriteString("\nFurther programs with a finding:\n")
	listPrograms(&b, t.Programs[1:], false)
	b.WriteString("\nand without one:\n")
	listPrograms(&b, t.Programs[1:], true)
	_, err = io.WriteString(w, b.String())
	return err
}

// tryIt returns the command that shows the report on the first program.
func tryIt(t *builtins.Topic) string {
	name, flags, before := t.Name, "", ""
	switch p := builtin.Property(name); {
	case slices.Contains(Expensive, p):
		flags = "--builtin " + name + " "
	case p == builtin.Leak:
		before = "echo must_finish main.func1 >leak.tl\n"
	}
	file := name + ".go\n"
	return "antichain builtins " + name + " " + t.Programs[0].Name + " >" + file + before + "antichain run " + flags + file
}

func listPrograms(b *strings.Builder, all []builtins.Program, good bool) {
	for _, p := range all {
		if p.Good == good {
			fmt.Fprintf(b, "    %-*s %s\n", programWidth, p.Name, strings.TrimPrefix(p.Text, p.Name+" "))
		}
	}
}

// programWidth is the width of the column with the names of programs.
const programWidth = 20

func indent(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		if l != "\n" {
			b.WriteString("    ")
		}
		b.WriteString(l)
	}
	return b.String()
}
