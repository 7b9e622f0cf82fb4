package main

import (
	"fmt"
	goformat "go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// repository is the root of the checkout.
const repository = "../.."

// docPage is the README or a page below docs.
type docPage struct {
	path   string // from the root of the repository
	text   string
	blocks []docBlock
}

// docBlock is a fenced block of a page.
type docBlock struct {
	line   int    // of the fence
	kind   string // what stands behind the fence
	marker string // the HTML comment above the fence, without its brackets
	text   string
}

// commandPrompt stands in front of a command for the shell.
const commandPrompt = "$ "

// notRun begins the marker of a block of commands that no test can run. The reason stands behind it.
const notRun = "not run: "

// The marker of a block that is a file begins with one of these. The commands of the page find the first kind in
// their directory; the second kind is the file of that name in the repository.
const (
	fileMarker   = "file: "
	sourceMarker = "source: "
)

var fenced = regexp.MustCompile("(?ms)^(?:<!-- ([^\n]*) -->\n)?```([a-z]*)\n(.*?)^```$")

// readPages reads the README and all pages below docs.
func readPages(t *testing.T) []*docPage {
	t.Helper()
	below, err := filepath.Glob(repository + "/docs/*.md")
	if err != nil || len(below) == 0 {
		t.Fatalf("no pages below docs: %v", err)
	}
	var pages []*docPage
	for _, name := range append([]string{repository + "/README.md"}, below...) {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Rel(repository, name)
		if err != nil {
			t.Fatal(err)
		}
		p := &docPage{path: filepath.ToSlash(path), text: string(src)}
		for _, m := range fenced.FindAllStringSubmatchIndex(p.text, -1) {
			b := docBlock{kind: p.text[m[4]:m[5]], text: p.text[m[6]:m[7]], line: 1 + strings.Count(p.text[:m[4]], "\n")}
			if m[2] >= 0 {
				b.marker = p.text[m[2]:m[3]]
			}
			p.blocks = append(p.blocks, b)
		}
		pages = append(pages, p)
	}
	return pages
}

// prose is the page without its blocks and comments, line by line as before.
func (p *docPage) prose() string {
	blank := func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }
	return regexp.MustCompile(`(?s)<!--.*?-->`).ReplaceAllStringFunc(fenced.ReplaceAllStringFunc(p.text, blank), blank)
}

// at is a position in the page.
func (p *docPage) at(line int) string { return fmt.Sprintf("%s:%d", p.path, line) }

// maxReadme bounds the README in bytes: what is longer belongs to a page below docs.
const maxReadme = 12 << 10

func TestReadmeIsShort(t *testing.T) {
	if p := readPages(t)[0]; len(p.text) > maxReadme {
		t.Errorf("%s has %d bytes, more than %d", p.path, len(p.text), maxReadme)
	}
}

// TestDocsBlocks fails for blocks that no test understands, and lists the commands that none runs.
func TestDocsBlocks(t *testing.T) {
	for _, p := range readPages(t) {
		if i := strings.Count(p.text, "\n```"); i != 2*len(p.blocks) {
			t.Errorf("%s: %d lines begin with a fence, and there are %d blocks", p.path, i, len(p.blocks))
		}
		for _, b := range p.blocks {
			p.checkBlock(t, b)
		}
		before := ""
		for i, l := range strings.Split(p.prose(), "\n") {
			if strings.HasPrefix(l, "    ") && before == "" {
				t.Errorf("%s: an indented block: fence it, and say what it is", p.at(i+1))
			}
			before = strings.TrimSpace(l)
		}
	}
}

func (p *docPage) checkBlock(t *testing.T, b docBlock) {
	t.Helper()
	if name, ok := strings.CutPrefix(b.marker, sourceMarker); ok {
		if source, err := os.ReadFile(filepath.Join(repository, name)); err != nil || string(source) != b.text {
			t.Errorf("%s: not what %s has (%v)", p.at(b.line), name, err)
		}
	}
	switch reason, unrun := strings.CutPrefix(b.marker, notRun); {
	case b.kind == "console" && unrun:
		t.Logf("%s: not run: %s", p.at(b.line), reason)
	case b.kind == "console":
		if !strings.HasPrefix(b.text, commandPrompt) {
			t.Errorf("%s: does not begin with a command", p.at(b.line))
		}
	case b.kind == "tl":
		if _, err := spec.Parse(p.at(b.line), b.text); err != nil {
			t.Error(err)
		}
	case b.kind == "go":
		if formatted, err := goformat.Source([]byte(b.text)); err != nil || string(formatted) != b.text {
			t.Errorf("%s: not formatted: %v", p.at(b.line), err)
		}
	case b.kind == "text":
		if regexp.MustCompile(`(?m)^(\$ |antichain )`).MatchString(b.text) {
			t.Errorf("%s: commands: let the block be a console", p.at(b.line))
		}
	case !slices.Contains([]string{"json", "yaml", "ini", "gcl", "layers"}, b.kind):
		t.Errorf("%s: a block of an unknown kind %q", p.at(b.line), b.kind)
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// anchors are those of a page's headings, as GitHub makes them.
func anchors(text string) (all []string) {
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		title := link.ReplaceAllString(strings.ToLower(m[1]), "")
		title = regexp.MustCompile(`[^\p{L}\p{N}\- _]`).ReplaceAllString(title, "")
		all = append(all, strings.ReplaceAll(title, " ", "-"))
	}
	return all
}

// TestDocsLinks fails for links to files and headings that are not there, and for pages to which the README has no link.
func TestDocsLinks(t *testing.T) {
	pages := readPages(t)
	for _, p := range pages {
		if p != pages[0] && !strings.Contains(pages[0].text, "("+p.path+")") {
			t.Errorf("README.md has no link to %s", p.path)
		}
		for _, m := range link.FindAllStringSubmatch(p.prose(), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			name, anchor, _ := strings.Cut(m[1], "#")
			target := p.path
			if name != "" {
				target = filepath.Join(filepath.Dir(p.path), name)
			}
			src, err := os.ReadFile(filepath.Join(repository, target))
			if _, missing := os.Stat(filepath.Join(repository, target)); missing != nil {
				t.Errorf("%s: link to %s: %v", p.path, m[1], missing)
			} else if anchor != "" && (err != nil || !slices.Contains(anchors(string(src)), anchor)) {
				t.Errorf("%s: link to %s: %s has no such heading", p.path, m[1], target)
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
	root := newRoot(streams{})
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
		for _, m := range inlineCode.FindAllStringSubmatch(p.prose(), -1) {
			if flag := flagName.FindStringSubmatch(m[1]); flag != nil && !flags[flag[1]] {
				t.Errorf("%s: no verb has the flag --%s", p.path, flag[1])
			}
			commands = append(commands, m[1])
		}
		for _, b := range p.blocks {
			if b.kind == "console" {
				commands = append(commands, strings.Split(strings.ReplaceAll(b.text, "\\\n", " "), "\n")...)
			}
		}
		for _, c := range commands {
			verb, unknown := unknownName(root, strings.TrimPrefix(c, commandPrompt))
			mentioned[verb] = true
			if unknown != "" {
				t.Errorf("%s: %s: no %s", p.path, c, unknown)
			}
		}
	}
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && !mentioned[cmd.Name()] {
			t.Errorf("no page mentions antichain %s", cmd.Name())
		}
	}
}

// unknownName returns the verb of a command line, and what in it antichain does not have; both empty for other commands.
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
