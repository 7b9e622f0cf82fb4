package main

import (
	goformat "go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/docpages"
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// repository is the root of the checkout.
const repository = "../.."

// readPages reads the README and all pages below docs.
func readPages(t *testing.T) []*docpages.Page {
	t.Helper()
	pages, err := docpages.Read(repository)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// maxReadme bounds the README in bytes: what is longer belongs to a page below docs.
const maxReadme = 12 << 10

func TestReadmeIsShort(t *testing.T) {
	if p := readPages(t)[0]; len(p.Text) > maxReadme {
		t.Errorf("%s has %d bytes, more than %d", p.Path, len(p.Text), maxReadme)
	}
}

// TestDocsBlocks fails for blocks that no test understands, and lists the commands that none runs.
func TestDocsBlocks(t *testing.T) {
	for _, p := range readPages(t) {
		if i := strings.Count(p.Text, "\n```"); i != 2*len(p.Blocks) {
			t.Errorf("%s: %d lines begin with a fence, and there are %d blocks", p.Path, i, len(p.Blocks))
		}
		for _, b := range p.Blocks {
			checkBlock(t, p, b)
		}
		before := ""
		for i, l := range strings.Split(p.Prose(), "\n") {
			if strings.HasPrefix(l, "    ") && before == "" {
				t.Errorf("%s: an indented block: fence it, and say what it is", p.At(i+1))
			}
			before = strings.TrimSpace(l)
		}
	}
}

func checkBlock(t *testing.T, p *docpages.Page, b docpages.Block) {
	t.Helper()
	if name, ok := strings.CutPrefix(b.Marker, docpages.Source); ok {
		if source, err := os.ReadFile(filepath.Join(repository, name)); err != nil || string(source) != b.Text {
			t.Errorf("%s: not what %s has (%v)", p.At(b.Line), name, err)
		}
	}
	switch reason, unrun := strings.CutPrefix(b.Marker, docpages.NotRun); {
	case b.Kind == "console" && unrun:
		t.Logf("%s: not run: %s", p.At(b.Line), reason)
	case b.Kind == "console":
		if !strings.HasPrefix(b.Text, docpages.Prompt) {
			t.Errorf("%s: does not begin with a command", p.At(b.Line))
		}
	case b.Kind == "tl":
		if _, err := spec.Parse(p.At(b.Line), b.Text); err != nil {
			t.Error(err)
		}
	case b.Kind == "go":
		if formatted, err := goformat.Source([]byte(b.Text)); err != nil || string(formatted) != b.Text {
			t.Errorf("%s: not formatted: %v", p.At(b.Line), err)
		}
	case b.Kind == "schedule":
		if _, err := schedule.Parse(strings.NewReader(b.Text)); err != nil {
			t.Errorf("%s: %v", p.At(b.Line), err)
		}
	case b.Kind == "text":
		if regexp.MustCompile(`(?m)^(\$ |antichain )`).MatchString(b.Text) {
			t.Errorf("%s: commands: let the block be a console", p.At(b.Line))
		}
	case !slices.Contains([]string{"json", "yaml", "ini", "gcl", "layers", "modules"}, b.Kind):
		t.Errorf("%s: a block of an unknown kind %q", p.At(b.Line), b.Kind)
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// anchors are those of a page's headings, as GitHub makes them.
func anchors(text string) (all []string) {
	for _, m := range heading.FindAllStringSubmatch(docpages.Fenced.ReplaceAllString(text, ""), -1) {
		title := link.ReplaceAllString(strings.ToLower(m[1]), "")
		title = regexp.MustCompile(`[^\p{L}\p{N}\- _]`).ReplaceAllString(title, "")
		all = append(all, strings.ReplaceAll(title, " ", "-"))
	}
	return all
}

// TestDocsLinks fails for links to files and headings that are not there, and for pages to which
// the README has no link.
func TestDocsLinks(t *testing.T) {
	pages := readPages(t)
	for _, p := range pages {
		if p != pages[0] && !strings.Contains(pages[0].Text, "("+p.Path+")") {
			t.Errorf("README.md has no link to %s", p.Path)
		}
		for _, m := range link.FindAllStringSubmatch(p.Prose(), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			name, anchor, _ := strings.Cut(m[1], "#")
			target := p.Path
			if name != "" {
				target = filepath.Join(filepath.Dir(p.Path), name)
			}
			src, err := os.ReadFile(filepath.Join(repository, target))
			if _, missing := os.Stat(filepath.Join(repository, target)); missing != nil {
				t.Errorf("%s: link to %s: %v", p.Path, m[1], missing)
			} else if anchor != "" && (err != nil || !slices.Contains(anchors(string(src)), anchor)) {
				t.Errorf("%s: link to %s: %s has no such heading", p.Path, m[1], target)
			}
		}
	}
}

var (
	inlineCode = regexp.MustCompile("`([^`\n]+)`")
	flagName   = regexp.MustCompile(`^--([a-z][a-z-]*)`)
)

// TestDocsNames fails for verbs and flags that do not exist, and for verbs that no page mentions.
func TestDocsNames(t *testing.T) {
	root := newRoot(terminal.Streams{})
	flags := map[string]bool{"help": true, "version": true}
	var collect func(*cobra.Command)
	collect = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = true })
		for _, sub := range c.Commands() {
			collect(sub)
		}
	}
	collect(root)
	mentioned := map[string]bool{}
	for _, p := range readPages(t) {
		var commands []string
		for _, m := range inlineCode.FindAllStringSubmatch(p.Prose(), -1) {
			if flag := flagName.FindStringSubmatch(m[1]); flag != nil && !flags[flag[1]] {
				t.Errorf("%s: no verb has the flag --%s", p.Path, flag[1])
			}
			commands = append(commands, m[1])
		}
		for _, b := range p.Blocks {
			if b.Kind == "console" {
				commands = append(commands, strings.Split(strings.ReplaceAll(b.Text, "\\\n", " "), "\n")...)
			}
		}
		for _, c := range commands {
			verb, unknown := unknownName(root, strings.TrimPrefix(c, docpages.Prompt))
			mentioned[verb] = true
			if unknown != "" {
				t.Errorf("%s: %s: no %s", p.Path, c, unknown)
			}
		}
	}
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && !mentioned[cmd.Name()] {
			t.Errorf("no page mentions antichain %s", cmd.Name())
		}
	}
}

// unknownName returns the verb of a command line, and what in it antichain does not have; both
// empty for other commands.
func unknownName(root *cobra.Command, line string) (verb, unknown string) {
	line = strings.TrimPrefix(line, "go run ./cmd/antichain ")
	if rest, ok := strings.CutPrefix(line, "antichain "); ok {
		line = rest
	} else if !regexp.MustCompile(`^(run|test) `).MatchString(line) || strings.HasPrefix(line, "test -") {
		return "", ""
	}
	words := strings.Fields(regexp.MustCompile(`'[^']*'|\||"[^"]*"`).ReplaceAllString(line, "X"))
	if words[0] == "help" || words[0] == "completion" || strings.HasPrefix(words[0], "-") {
		return words[0], ""
	}
	cmd, _, err := root.Find(words[:min(2, len(words))])
	if err != nil || cmd == root {
		return "", "verb " + words[0]
	}
	for _, w := range words {
		m := flagName.FindStringSubmatch(strings.TrimLeft(w, "[{("))
		if m != nil && cmd.Flags().Lookup(m[1]) == nil && m[1] != "help" {
			return words[0], "flag --" + m[1]
		}
	}
	return words[0], ""
}
