package lsp

import (
	"os"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

func reference(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../spec.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The reference explains every word of the language, and completion has each.
func TestWords(t *testing.T) {
	words := wordsOf(reference(t))
	for _, w := range slices.Concat(spec.Keywords(), phases, builtins, []string{"->"}) {
		if words[w] == "" {
			t.Errorf("nothing is said of %s", w)
		}
		t.Logf("%s: %s", w, words[w])
	}
	for w := range spec.Builtins {
		if !slices.Contains(builtins, w) {
			t.Errorf("%s is no function for completion", w)
		}
	}
	known := slices.Concat(temporal, connectives, constants, beginnings, []string{"initially", "if", "caller"})
	for _, w := range spec.Keywords() {
		if !slices.Contains(known, w) {
			t.Errorf("%s is not completed", w)
		}
	}
	if len(known) != len(spec.Keywords()) {
		t.Errorf("%d words are completed, and the language has %d", len(known), len(spec.Keywords()))
	}
}

func TestRows(t *testing.T) {
	rows := rowsOf(reference(t))
	for _, want := range []row{
		{"t:(p)", "p true in t's local state", "p false there", "t not created, or p undefined there"},
		{"p -> q", "as not p or q; also written p implies q"},
		{"p until q", "q true in some l' > l and p false nowhere between", "otherwise", "never"},
		{"henceforth p", "p false in neither l nor any l' > l", "otherwise", "never"},
	} {
		if !slices.Contains(rows, want) {
			t.Errorf("no row %q in %q", want, rows)
		}
	}
}
