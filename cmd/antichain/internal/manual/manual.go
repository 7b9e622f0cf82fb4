// Package manual writes manual pages and shell completions for packages to install.
//
// The help of antichain is laid out for a terminal: paragraphs, indented tables and drawings, and
// words with stars and underscores in them. The pages keep this layout, and do not interpret the
// text as Markdown.
package manual

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Source is the origin stated in pages.
type Source struct {
	Version string    // as "antichain v1.2.3"
	Date    time.Time // zero if unknown
}

// Write writes into dir:
//
//	man1/antichain-VERB.1    a page for each command that the help lists
//	man7/antichain-TOPIC.7   a page for each additional help topic
//	completions/             scripts for bash, zsh (_antichain), fish and PowerShell
//
// The same root and source give the same bytes.
func Write(root *cobra.Command, dir string, source Source) error {
	if err := writePages(root, dir, source); err != nil {
		return err
	}
	return writeCompletions(root, dir)
}

func writePages(cmd *cobra.Command, dir string, source Source) error {
	name := filepath.Join("man"+section(cmd), pageName(cmd)+"."+section(cmd))
	if err := writeFile(dir, name, Page(cmd, source)); err != nil {
		return err
	}
	for _, c := range listed(cmd) {
		if err := writePages(c, dir, source); err != nil {
			return err
		}
	}
	return nil
}

func writeCompletions(root *cobra.Command, dir string) error {
	for _, shell := range []struct {
		file     string
		generate func(*bytes.Buffer) error
	}{
		{root.Name() + ".bash", func(b *bytes.Buffer) error { return root.GenBashCompletionV2(b, true) }},
		{"_" + root.Name(), func(b *bytes.Buffer) error { return root.GenZshCompletion(b) }},
		{root.Name() + ".fish", func(b *bytes.Buffer) error { return root.GenFishCompletion(b, true) }},
		{root.Name() + ".ps1", func(b *bytes.Buffer) error { return root.GenPowerShellCompletionWithDesc(b) }},
	} {
		var b bytes.Buffer
		if err := shell.generate(&b); err != nil {
			return err
		}
		if err := writeFile(dir, filepath.Join("completions", shell.file), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(dir, name string, content []byte) error {
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o644)
}

// listed returns the commands and topics that the help of cmd lists.
func listed(cmd *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			all = append(all, c)
		}
	}
	return all
}

// section is the section of the page of cmd: 1 for commands, 7 for help topics.
func section(cmd *cobra.Command) string {
	if cmd.IsAdditionalHelpTopicCommand() {
		return "7"
	}
	return "1"
}

func pageName(cmd *cobra.Command) string {
	return strings.ReplaceAll(cmd.CommandPath(), " ", "-")
}

// Page returns the manual page of a command.
func Page(cmd *cobra.Command, source Source) []byte {
	var b bytes.Buffer
	date := ""
	if !source.Date.IsZero() {
		date = source.Date.UTC().Format(time.DateOnly)
	}
	fmt.Fprintf(&b, ".TH \"%s\" %s \"%s\" \"%s\"\n", escape(strings.ToUpper(pageName(cmd))), section(cmd), escape(date),
		escape(source.Version))
	b.WriteString(".nh\n.ad l\n") // readers copy names from pages, so do not hyphenate them
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", escape(pageName(cmd)), escape(cmd.Short))

	long := strings.TrimSpace(cmd.Long)
	if long == "" {
		long = cmd.Short
	}
	if cmd.Runnable() {
		path := cmd.CommandPath()
		rest := strings.TrimPrefix(cmd.UseLine(), path)
		fmt.Fprintf(&b, ".SH SYNOPSIS\n\\fB%s\\fR%s\n", escape(path), escape(rest))
	}
	description, codes := exitCodes(long)
	b.WriteString(".SH DESCRIPTION\n")
	writeText(&b, description)

	cmd.InitDefaultHelpFlag()
	if children := listed(cmd); len(children) > 0 {
		b.WriteString(".SH COMMANDS\n")
		for _, c := range children {
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR(%s)\n%s\n", escape(pageName(c)), section(c), escape(c.Short))
		}
	}
	if flags := cmd.Flags(); cmd.Runnable() && flags.HasAvailableFlags() {
		b.WriteString(".SH OPTIONS\n")
		flags.VisitAll(func(f *pflag.Flag) { writeFlag(&b, f) })
	}
	if codes != "" {
		b.WriteString(".SH EXIT STATUS\n")
		writeText(&b, codes)
	}
	if cmd.HasParent() {
		root := cmd.Root()
		see := []string{reference(cmd.Parent())}
		if cmd.Parent() != root {
			see = append(see, reference(root))
		}
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(see, ", "))
	}
	return b.Bytes()
}

func reference(cmd *cobra.Command) string {
	return fmt.Sprintf("\\fB%s\\fR(%s)", escape(pageName(cmd)), section(cmd))
}

// exitCodes splits off the paragraph about exit codes from a help text.
func exitCodes(long string) (description, codes string) {
	const begin = "Exit codes: "
	var rest []string
	for paragraph := range strings.SplitSeq(long, "\n\n") {
		if text, ok := strings.CutPrefix(paragraph, begin); ok && codes == "" {
			codes = text
		} else {
			rest = append(rest, paragraph)
		}
	}
	return strings.Join(rest, "\n\n"), codes
}

// writeFlag says of a flag what the help says of it.
func writeFlag(b *bytes.Buffer, f *pflag.Flag) {
	if f.Hidden || f.Deprecated != "" {
		return
	}
	var alone pflag.FlagSet
	alone.AddFlag(f)
	head, usage, _ := strings.Cut(strings.TrimSpace(alone.FlagUsages()), "   ")
	b.WriteString(".TP\n")
	for i, word := range strings.Fields(head) {
		if i > 0 {
			b.WriteByte(' ')
		}
		font := "I"
		if strings.HasPrefix(word, "-") {
			font = "B"
		}
		word, comma := strings.CutSuffix(word, ",")
		fmt.Fprintf(b, "\\f%s%s\\fR", font, escape(word))
		if comma {
			b.WriteByte(',')
		}
	}
	b.WriteByte('\n')
	for line := range strings.Lines(usage) {
		b.WriteString(textLine(strings.TrimSpace(line)) + "\n")
	}
}

// writeText writes text with the layout of the help: paragraphs, lines in capitals as headings, and
// indented lines as they are.
func writeText(b *bytes.Buffer, text string) {
	indented := false
	begin := true // the first paragraph of a section needs no request
	blank := false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.ReplaceAll(strings.TrimRight(line, " \t"), "\t", "    ")
		if line == "" {
			blank = true
			continue
		}
		if now := strings.HasPrefix(line, "  "); now != indented {
			indented = now
			if now {
				b.WriteString(".PP\n.RS 4\n.nf\n")
			} else {
				b.WriteString(".fi\n.RE\n.PP\n")
			}
			blank = false
		}
		heading := !indented && isHeading(line)
		switch {
		case heading:
			fmt.Fprintf(b, ".SS %s\n", textLine(line))
		case blank && indented:
			b.WriteString(".sp\n")
		case blank && !begin:
			b.WriteString(".PP\n")
		}
		if !heading {
			b.WriteString(textLine(strings.TrimPrefix(line, "    ")) + "\n")
		}
		begin, blank = heading, false
	}
	if indented {
		b.WriteString(".fi\n.RE\n")
	}
}

// isHeading reports whether a line is in capitals, up to a colon as in LOCAL FORMULAS: t:(…).
func isHeading(line string) bool {
	line, _, _ = strings.Cut(line, ":")
	return len(line) > 1 && line == strings.ToUpper(line) && strings.Trim(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ ") == ""
}

var escaper = strings.NewReplacer(
	`\`, `\e`,
	`-`, `\-`,
	`"`, `\(dq`,
	`'`, `\(aq`,
	"`", `\(ga`,
	`^`, `\(ha`,
	`~`, `\(ti`,
)

// escape makes man print a text as it is.
func escape(text string) string { return escaper.Replace(text) }

// textLine keeps a line of text from being read as a request.
func textLine(line string) string {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, " ") {
		return `\&` + escape(line)
	}
	return escape(line)
}
