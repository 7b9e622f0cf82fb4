//go:build unix

package found

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/measure/internal/corpus"
)

// TestHistory reads the drivers. Each has two modules, at different versions, and few lines.
func TestHistory(t *testing.T) {
	files, programs, err := loadHistory()
	if err != nil {
		t.Fatal(err)
	}
	if len(programs) < 40 {
		t.Errorf("%d bugs", len(programs))
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	read := func(p *corpus.Program, variant, file string) []byte {
		text, err := os.ReadFile(filepath.Join(dir, p.Name, variant, file))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, p := range programs {
		if bytes.Equal(read(p, "bug", "go.mod"), read(p, "fixed", "go.mod")) {
			t.Errorf("the twin of %s has the same version", p.Name)
		}
		if lines := bytes.Count(read(p, "bug", "main.go"), []byte("\n")); lines > 40 {
			t.Errorf("%s has %d lines", p.Name, lines)
		}
	}
	drivers, err := historyFiles.ReadDir("_history")
	if err != nil {
		t.Fatal(err)
	}
	if len(drivers) != len(programs) {
		t.Errorf("%d drivers for %d bugs", len(drivers), len(programs))
	}
}

// TestHistoryGoesOn keeps what one way has shown. Later only the others are missing, until the
// driver changes.
func TestHistoryGoesOn(t *testing.T) {
	files, programs, err := loadHistory()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	begin := func() *history {
		h := &history{ways: regexp.MustCompile(""), files: files}
		if err := h.read(dir, programs[:1]); err != nil {
			t.Fatal(err)
		}
		return h
	}
	h := begin()
	if got := len(h.missing(h.saved[0])); got != len(historyWays) {
		t.Errorf("%d ways at the beginning", got)
	}
	h.saved[0].Ways["default"] = corpus.Runs{Bug: make([]corpus.Outcome, 3), Twin: make([]corpus.Outcome, 3)}
	if err := h.saved[0].write(); err != nil {
		t.Fatal(err)
	}
	h = begin()
	if got := len(h.missing(h.saved[0])); got != len(historyWays)-1 || len(h.unfinished()) != 1 {
		t.Errorf("%d ways are missing", got)
	}
	var text strings.Builder
	h.board().write(&text)
	for _, want := range []string{"default: named: 0 of 1;", "all: named: 0 of 0;", "not run"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	kept, err := os.ReadFile(h.saved[0].file)
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Replace(kept, []byte(h.saved[0].Driver), []byte("another"), 1)
	if err := os.WriteFile(h.saved[0].file, other, 0o666); err != nil {
		t.Fatal(err)
	}
	if h = begin(); len(h.missing(h.saved[0])) != len(historyWays) {
		t.Error("results of another driver count")
	}
}
