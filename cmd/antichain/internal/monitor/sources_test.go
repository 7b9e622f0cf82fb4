package monitor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/check"
	"github.com/antichain-go/antichain/tracer/ingest/stream"
)

// All mistakes in sources are reported together, and the valid ones are opened.
func TestOpenSources(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	if err := os.WriteFile(path, []byte(`{"antichain":1,"tasks":["a"]}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		words  []string
		named  bool // runs are called by name in reports
		said   string
		errors []string
	}{
		{words: []string{path}},
		{words: []string{path, path, "tcp:"}, errors: []string{"is named twice", "tcp:"}},
		{words: []string{"tcp:0.0.0.0:0"}, named: true, said: "peers are not authenticated"},
	} {
		var said strings.Builder
		m := &Monitor{Checker: check.Checker{Stderr: &said}}
		sources, err := m.OpenSources(tt.words, stream.Options{UntilEOF: true})
		if (err != nil) != (len(tt.errors) > 0) || len(sources) != len(tt.words) || m.Named != tt.named ||
			!strings.Contains(said.String(), tt.said) {
			t.Errorf("%q: %d sources, named %v, said %q, %v", tt.words, len(sources), m.Named, said.String(), err)
		}
		for _, want := range tt.errors {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %q", tt.words, err, want)
			}
		}
	}
}
