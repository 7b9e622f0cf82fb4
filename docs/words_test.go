package docs

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
)

const (
	wordCounts   = "testdata/words.txt"
	commentWidth = 100
	codeWidth    = 120
	tabWidth     = 4

	// slack is how far a count may fall below the listed one before the list must follow.
	slack = 10
)

// wording are the phrases that make a stranger stop, by the heading of their column in the list.
var wording = []struct {
	heading string
	phrase  *regexp.Regexp
}{
	{"told", regexp.MustCompile(`(?i)\b(tells?|told|telling)\b`)},
	{"somebody", regexp.MustCompile(`(?i)\b(some|any|no)body\b|\b(him|her)self\b`)},
	{"who", regexp.MustCompile(`(?i)\b(goroutine|task|thread|process|program|broker|reader|writer)(s|es)?,? who\b`)},
	{"of-which", regexp.MustCompile(`(?i)\bof\s+which\b`)},
	{"so-that", regexp.MustCompile(`(?i)\bso\s+that\b`)},
	{"may-come", regexp.MustCompile(`(?i)\bmay\s+come\b`)},
	{"What-is", regexp.MustCompile(`(?:^|\n\n|[.!?:]\s+)What\s[^?.]*\.`)},
}

// TestWords counts the phrases that this project avoids, and lines that are too wide, in each
// top-level directory. The counts in the list may only shrink.
// UPDATE_WORDS=1 go test -run TestWords ./docs rewrites it.
func TestWords(t *testing.T) {
	got, err := countWords()
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_WORDS") != "" {
		if err := os.WriteFile(wordCounts, formatCounts(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(wordCounts)
	if err != nil {
		t.Fatal(err)
	}
	listed, err := parseCounts(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, area := range slices.Sorted(maps.Keys(got)) {
		for column, n := range got[area] {
			limit := listed[area][column]
			switch {
			case n > limit:
				t.Errorf("%s: %d times %s, more than the %d in docs/%s: reword the new ones",
					area, n, column, limit, wordCounts)
			case n < limit-slack:
				t.Errorf("%s: only %d times %s: lower the number in docs/%s, %d", area, n, column, wordCounts, limit)
			}
		}
	}
	for area := range listed {
		if got[area] == nil {
			t.Errorf("%s does not exist: remove it from docs/%s", area, wordCounts)
		}
	}
}

// counts has a number for each column.
type counts map[string]int

// countWords returns the counts of each top-level directory.
func countWords() (map[string]counts, error) {
	all := make(map[string]counts)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name != ".." && name[0] == '.' || name == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		isGo := filepath.Ext(path) == ".go"
		isPage := filepath.Ext(path) == ".md" &&
			(d.Name() == "README.md" || filepath.Dir(path) == filepath.Join("..", "docs"))
		if !isGo && !isPage {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		area, _, below := strings.Cut(filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator))), "/")
		if !below {
			area = "README"
		}
		if all[area] == nil {
			all[area] = make(counts)
		}
		if isGo {
			all[area].addGo(src)
		} else {
			all[area].addProse(prose(string(src)))
		}
		return nil
	})
	return all, err
}

// addGo counts phrases in the comments of a Go file, and its wide lines.
func (c counts) addGo(src []byte) {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	var text strings.Builder
	last := 0 // the line where the last comment ends
	hasComment := make(map[int]bool)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok != token.COMMENT || strings.HasPrefix(lit, "//go:") {
			continue
		}
		first := file.Line(pos)
		if first > last+1 {
			text.WriteString("\n")
		}
		last = first + strings.Count(lit, "\n")
		text.WriteString(strings.Trim(lit, "/*") + "\n")
		for l := first; l <= last; l++ {
			hasComment[l] = true
		}
	}
	c.addProse(text.String())
	n := 0
	for l := range bytes.Lines(src) {
		n++
		switch width := columnsOf(string(bytes.TrimSuffix(l, []byte("\n")))); {
		case hasComment[n] && width > commentWidth:
			c["wide-comment"]++
		case !hasComment[n] && width > codeWidth:
			c["wide-code"]++
		}
	}
}

// columnsOf returns the width of a line.
func columnsOf(line string) (n int) {
	for _, r := range line {
		if r == '\t' {
			n += tabWidth - n%tabWidth
		} else {
			n++
		}
	}
	return n
}

// addProse counts phrases in a text.
func (c counts) addProse(text string) {
	for _, w := range wording {
		c[w.heading] += len(w.phrase.FindAllStringIndex(text, -1))
	}
}

// prose returns a page without its headings and blocks of code.
func prose(page string) string {
	var text strings.Builder
	inBlock := false
	for l := range strings.Lines(page) {
		if strings.HasPrefix(l, "```") {
			inBlock = !inBlock
		} else if !inBlock && !strings.HasPrefix(l, "#") {
			text.WriteString(l)
		}
	}
	return text.String()
}

// columns returns the headings of the list in their order.
func columns() (all []string) {
	for _, w := range wording {
		all = append(all, w.heading)
	}
	return append(all, "wide-comment", "wide-code")
}

func formatCounts(all map[string]counts) []byte {
	var text bytes.Buffer
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "directory\t"+strings.Join(columns(), "\t"))
	for _, area := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprint(table, area)
		for _, column := range columns() {
			fmt.Fprintf(table, "\t%d", all[area][column])
		}
		fmt.Fprintln(table)
	}
	table.Flush()
	return text.Bytes()
}

func parseCounts(text string) (map[string]counts, error) {
	all := make(map[string]counts)
	for l := range strings.Lines(text) {
		fields := strings.Fields(l)
		if len(fields) != len(columns())+1 {
			return nil, fmt.Errorf("%s: not a number for each column: %s", wordCounts, l)
		}
		if fields[0] == "directory" {
			continue
		}
		all[fields[0]] = make(counts)
		for i, column := range columns() {
			n, err := strconv.Atoi(fields[i+1])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", wordCounts, err)
			}
			all[fields[0]][column] = n
		}
	}
	return all, nil
}
