package goroot

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The names of capabilities in package frontend exist. No other capability is optional for a
// program, except for those that rest on options.
func TestNamesOfFrontend(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../frontend/uses.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var theirs []string
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			for _, v := range s.(*ast.ValueSpec).Values {
				name, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				theirs = append(theirs, name)
			}
		}
	}
	always := []string{"goroutines", "given functions", "turns", "reuse of memory", "tests", "heap", MemoryAccesses,
		"halting", "steering", "lingering", "reachability"}
	var ours []string
	for _, c := range Capabilities() {
		if !slices.Contains(always, c.Name) {
			ours = append(ours, c.Name)
		}
	}
	slices.Sort(theirs)
	slices.Sort(ours)
	if d := cmp.Diff(ours, theirs); d != "" {
		t.Errorf("capabilities (-goroot +frontend):\n%s", d)
	}
}
