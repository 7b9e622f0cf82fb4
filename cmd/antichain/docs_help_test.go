package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/docpages"
	"github.com/google/go-cmp/cmp"
)

// TestDocsSpecHelp compares antichain help spec with docs/specification-language.md, which it is
// made from. UPDATE_DOCS=1 makes it anew.
func TestDocsSpecHelp(t *testing.T) {
	src, err := os.ReadFile(repository + "/docs/specification-language.md")
	if err != nil {
		t.Fatal(err)
	}
	want := helpOf(t, string(src))
	if os.Getenv("UPDATE_DOCS") != "" {
		if err := os.WriteFile("spec.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, specText); d != "" {
		t.Errorf("spec.txt is not what the page says (-page +spec.txt):\n%s", d)
	}
}

// helpOf makes plain text of a page: headings in capitals, fenced blocks indented, without
// backticks, links and comments, and of sessions the commands alone.
func helpOf(t *testing.T, page string) string {
	t.Helper()
	page = regexp.MustCompile(`(?s)<!-- not in the help -->.*?<!-- /not in the help -->\n\n?`).ReplaceAllString(page, "")
	page = regexp.MustCompile(`(?m)^<!--.*-->\n`).ReplaceAllString(page, "")
	var text strings.Builder
	inBlock, inConsole := false, false
	for l := range strings.Lines(page) {
		l = strings.TrimSuffix(l, "\n")
		title := heading.FindStringSubmatch(l)
		command, isCommand := strings.CutPrefix(l, docpages.Prompt)
		switch {
		case strings.HasPrefix(l, "```"):
			inBlock, inConsole = !inBlock, l == "```console"
			continue
		case inConsole && isCommand:
			l = "    " + command
		case inConsole: // output
			continue
		case inBlock && l != "":
			l = "    " + l
		case inBlock:
		case title != nil:
			l = strings.ToUpper(title[1][:strings.IndexAny(title[1]+"`", "`")])
			l += strings.ReplaceAll(title[1][len(l):], "`", "")
		default:
			l = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`).ReplaceAllString(l, "$1")
			l = strings.ReplaceAll(l, "`", "")
		}
		text.WriteString(l + "\n")
	}
	return text.String()
}

// TestDocsFormats compares docs/formats.md with antichain help formats, which a part of it is made
// from. UPDATE_DOCS=1 makes it anew.
func TestDocsFormats(t *testing.T) {
	path := filepath.FromSlash(repository + "/docs/formats.md")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(src), "<!-- antichain help formats -->\n\n")
	shown, after, ended := strings.Cut(rest, "\n<!-- /antichain help formats -->\n")
	if !ok || !ended {
		t.Fatal("docs/formats.md does not say where the help is")
	}
	code, help, _ := runVerb(t, "help", "formats")
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	want := formatsPage(help)
	if os.Getenv("UPDATE_DOCS") != "" {
		text := before + "<!-- antichain help formats -->\n\n" + want + "\n<!-- /antichain help formats -->\n" + after
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, shown); d != "" {
		t.Errorf("docs/formats.md shows another help (-help +page):\n%s", d)
	}
}

// formatsPage makes a page of the help: headings of lines that begin with a flag, fenced blocks of
// indented ones.
func formatsPage(help string) string {
	var page strings.Builder
	inBlock := false
	lines := strings.Split(strings.TrimSpace(help), "\n")
	for i, l := range lines {
		indented := strings.HasPrefix(l, "    ")
		blockGoesOn := l == "" && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "    ")
		switch {
		case indented && !inBlock:
			page.WriteString("```text\n")
			inBlock = true
		case inBlock && !indented && !blockGoesOn:
			page.WriteString("```\n")
			inBlock = false
		}
		if m := regexp.MustCompile(`^--format (\w+): (.*)$`).FindStringSubmatch(l); m != nil {
			l = "### `--format " + m[1] + "`: " + m[2]
		}
		page.WriteString(strings.TrimPrefix(l, "    ") + "\n")
	}
	if inBlock {
		page.WriteString("```\n")
	}
	return page.String()
}
