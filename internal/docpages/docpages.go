// Package docpages reads the README and the pages below docs, for tests that compare them with the
// code.
package docpages

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Page is the README or a page below docs.
type Page struct {
	Path   string // from the root of the repository
	Text   string
	Blocks []Block
}

type Block struct {
	Line   int    // of the fence
	Kind   string // after the fence
	Marker string // HTML comment above the fence, without brackets
	Text   string
}

// Prompt precedes a shell command.
const Prompt = "$ "

// NotRun begins the marker of a block of commands that no test can run. The reason follows.
const NotRun = "not run: "

// The marker of a block that is a file begins with one of these. The commands of the page find the
// first kind in their directory. The second kind is the file with this name in the repository.
const (
	File   = "file: "
	Source = "source: "
)

// Fenced matches a block.
var Fenced = regexp.MustCompile("(?ms)^(?:<!-- ([^\n]*) -->\n)?```([a-z]*)\n(.*?)^```$")

// Read reads the README and all pages below docs of the repository with this root. The README comes
// first.
func Read(root string) ([]*Page, error) {
	below, err := filepath.Glob(root + "/docs/*.md")
	if err != nil {
		return nil, err
	}
	if len(below) == 0 {
		return nil, fmt.Errorf("%s: no pages below docs", root)
	}
	var pages []*Page
	for _, name := range append([]string{root + "/README.md"}, below...) {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		path, err := filepath.Rel(root, name)
		if err != nil {
			return nil, err
		}
		p := &Page{Path: filepath.ToSlash(path), Text: string(src)}
		for _, m := range Fenced.FindAllStringSubmatchIndex(p.Text, -1) {
			b := Block{Kind: p.Text[m[4]:m[5]], Text: p.Text[m[6]:m[7]], Line: 1 + strings.Count(p.Text[:m[4]], "\n")}
			if m[2] >= 0 {
				b.Marker = p.Text[m[2]:m[3]]
			}
			p.Blocks = append(p.Blocks, b)
		}
		pages = append(pages, p)
	}
	return pages, nil
}

// Prose is the page with blocks and comments blanked, which preserves line numbers.
func (p *Page) Prose() string {
	blank := func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }
	return regexp.MustCompile(`(?s)<!--.*?-->`).ReplaceAllStringFunc(Fenced.ReplaceAllStringFunc(p.Text, blank), blank)
}

// At is a position in the page.
func (p *Page) At(line int) string { return fmt.Sprintf("%s:%d", p.Path, line) }
