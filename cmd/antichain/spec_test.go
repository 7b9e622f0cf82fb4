package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/rogpeppe/go-internal/txtar"
)

// recipes returns the properties in the RECIPES section of the language reference.
func recipes(t *testing.T) *spec.File {
	t.Helper()
	_, section, ok := strings.Cut(specText, "\nRECIPES\n")
	if !ok {
		t.Fatal("spec.txt has no section RECIPES")
	}
	var src strings.Builder
	for l := range strings.Lines(section) {
		if strings.HasPrefix(l, "    ") {
			src.WriteString(l)
		}
	}
	file, err := spec.Parse("spec.txt", src.String())
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRecipes runs every recipe of the language reference on the traces of that name: one on
// which it holds, one on which it does not.
func TestRecipes(t *testing.T) {
	requireOnly(t, "testdata/recipes", "*.txtar")
	unused := map[string]bool{}
	files, err := filepath.Glob("testdata/recipes/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		unused[f] = true
	}
	properties := recipes(t).Properties
	if len(properties) != 12 {
		t.Errorf("%d recipes, want the twelve of the documentation", len(properties))
	}
	for _, p := range properties {
		t.Run(p.Name, func(t *testing.T) {
			path := filepath.Join("testdata/recipes", p.Name+".txtar")
			delete(unused, path)
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]int{"holds.jsonl": exit.Holds, "violated.jsonl": exit.Violated}
			for _, f := range archive.Files {
				code, ok := want[f.Name]
				if !ok {
					t.Fatalf("%s holds the unknown or repeated file %s", path, f.Name)
				}
				delete(want, f.Name)
				out, got := checkProperty(t, p, f.Data)
				if got != code {
					t.Errorf("%s: exit code %d, want %d\n%s", f.Name, got, code, out)
				}
			}
			if len(want) > 0 {
				t.Errorf("%s lacks %v", path, want)
			}
		})
	}
	for f := range unused {
		t.Errorf("%s belongs to no recipe", f)
	}
}

// checkProperty runs "antichain check" with a property on a trace.
func checkProperty(t *testing.T, p *spec.Property, trace []byte) (output string, code int) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "recipe.tl")
	head := "property " + p.Name
	if p.Initially {
		head += " initially"
	}
	if err := os.WriteFile(name, []byte(head+": "+p.Source), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	code = mainerr([]string{"check", "--spec", name, "-"}, terminal.Streams{In: bytes.NewReader(trace), Out: &out, Err: &out})
	return out.String(), code
}

// TestSpecTextNamesEverything fails when the language has a word that its reference lacks.
func TestSpecTextNamesEverything(t *testing.T) {
	words := []string{
		"in.f", "start.f", "term.f", "len(", "abs(", "min(", "max(", "even(", "odd(", "sorted(",
		"not p", "p and q", "p or q", "p -> q", "p implies q", "next p", "all_next p", "next^3 p", "all_next^3 p",
		"sometime p", "always p", "eventually p", "henceforth p", "p until q", "p before q", "p if c",
		"forall t (p)", "exists t (p)", "t == u", "t != u", "caller(u)", "initially", "shared", "l3", "frey96",
	}
	for _, w := range words {
		if !strings.Contains(specText, w) {
			t.Errorf("spec.txt does not mention %q", w)
		}
	}
}

// TestSpecTextWidth keeps the reference readable on a terminal.
func TestSpecTextWidth(t *testing.T) {
	for i, l := range strings.Split(specText, "\n") {
		if n := len([]rune(l)); n > 96 {
			t.Errorf("spec.txt:%d: %d characters", i+1, n)
		}
		if regexp.MustCompile(`\s$`).MatchString(l) {
			t.Errorf("spec.txt:%d: blank at the end", i+1)
		}
	}
}

// TestSpecIsBounded reads a specification that is as large as allowed, and a larger one.
func TestSpecIsBounded(t *testing.T) {
	text := "property p: t:(in.f)"
	for size, want := range map[int]string{
		specfile.MaxSize:     "",
		specfile.MaxSize + 1: fmt.Sprintf("specification of more than %d bytes: split it", specfile.MaxSize),
	} {
		path := filepath.Join(t.TempDir(), "large.tl")
		if err := os.WriteFile(path, []byte(text+strings.Repeat(" ", size-len(text))), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := (&specfile.Source{Files: []string{path}}).Load()
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%d bytes: %v, want %q", size, err, want)
		}
	}
}
