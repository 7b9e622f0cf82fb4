package rewrite

import (
	"errors"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// parseFile parses a file as the front end does.
func parseFile(t *testing.T, name, src string) (*File, *token.FileSet) {
	t.Helper()
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return &File{Name: name, Src: []byte(src), Syntax: syntax}, fset
}

const holdable = `package p

import "time"

//go:nosplit
func low() {
	print()
}

func f(c chan int) (n int) {
	switch {
	case n > 0: n++; n--
	default:
		go func() {
			c <- 1
		}()
	}
	if n > 1 {
		return 2
	} else if n > 0 {
		n = 2
	}
again:
	for v := range c {
		n += v +
			int(time.Now().Unix())
		continue again
	}
	return
}
`

// The insertion is in front of the first statement that begins on the line.
func TestHoldAt(t *testing.T) {
	lines := map[int]int{12: 0, 14: 1, 15: 2, 18: 3, 21: 4, 23: 5, 25: 6, 29: 7}
	got, err := HoldAt("p.go", []byte(holdable), lines)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(string(got), "\n")
	for line, want := range map[int]string{
		1:  `package p; import __antichain_line "antichain/agent"`,
		12: "\tcase n > 0: __antichain_line.Line(0); n++; n--",
		14: "\t\t__antichain_line.Line(1); go func() {",
		15: "\t\t\t__antichain_line.Line(2); c <- 1",
		18: "\t__antichain_line.Line(3); if n > 1 {",
		21: "\t\t__antichain_line.Line(4); n = 2",
		23: "__antichain_line.Line(5); again:",
		25: "\t\t__antichain_line.Line(6); n += v +",
		29: "\t__antichain_line.Line(7); return",
	} {
		if all[line-1] != want {
			t.Errorf("line %d is %q, want %q", line, all[line-1], want)
		}
	}
}

// A line where no statement begins has neighbours where one does.
func TestCheckLine(t *testing.T) {
	f, fset := parseFile(t, "p.go", holdable)
	for _, tt := range []struct {
		line    int
		nearest []int
	}{
		{12, nil}, {23, nil}, {29, nil},
		{1, []int{11}}, {7, []int{11}}, {13, []int{12, 14}}, {20, []int{19, 21}}, {24, []int{23, 25}},
		{26, []int{25, 27}}, {300, []int{29}},
	} {
		err := CheckLine(f, fset, Line{File: "p.go", Line: tt.line, Text: "p.go"})
		var wrong *LineError
		errors.As(err, &wrong)
		switch {
		case (err == nil) != (tt.nearest == nil):
			t.Errorf("line %d: %v", tt.line, err)
		case err != nil && !slices.Equal(wrong.Nearest, tt.nearest):
			t.Errorf("line %d: nearest %v, want %v", tt.line, wrong.Nearest, tt.nearest)
		}
	}
}

// Goroutines can be held before all lines of this package at once: what is inserted parses, moves
// no line, and leaves the file as it was when it is taken out.
func TestHoldAtAll(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	inserted := regexp.MustCompile(`__antichain_line_*\.Line\([0-9]+\); |; import __antichain_line_* "antichain/agent"`)
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, fset := parseFile(t, name, string(src))
		lines := make(map[int]int)
		for line := range statementsOf(f.Syntax, fset) {
			lines[line] = line
		}
		got, err := HoldAt(name, src, lines)
		if err != nil {
			t.Fatal(err)
		}
		after, fset := parseFile(t, name, string(got))
		for line := range statementsOf(after.Syntax, fset) {
			if _, ok := lines[line]; !ok {
				t.Errorf("%s:%d has a statement that was not there", name, line)
			}
		}
		if n := len(inserted.FindAll(got, -1)); n != len(lines)+1 && name != "lines_test.go" {
			t.Errorf("%s: %d insertions for %d lines", name, n, len(lines))
		}
		if name != "lines_test.go" && string(inserted.ReplaceAll(got, nil)) != string(src) {
			t.Errorf("%s is another one without what was inserted", name)
		}
	}
}
