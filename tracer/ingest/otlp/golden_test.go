package otlp

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/santest"
)

var update = flag.Bool("update", false, "write what came out to testdata")

// TestGolden: what a small file is as traces in the text form.
func TestGolden(t *testing.T) {
	for _, tt := range []struct {
		options Options
		golden  string
	}{
		{Options{}, "testdata/cart.golden"},
		{Options{Sync: true}, "testdata/cart.sync.golden"},
	} {
		file, err := os.Open("testdata/cart.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		traces, err := Read(file, "cart.jsonl", Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		for _, trace := range traces {
			r, err := trace.Build(tt.options)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, text(t, r)...)
		}
		if *update {
			if err := os.WriteFile(tt.golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(tt.golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("%s: %s", tt.golden, d)
		}
	}
}

// fataler is a testing.T or a rapid.T.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// text returns a run in the text form, after a check that it makes a net.
func text(t fataler, r *Run) string {
	t.Helper()
	tr, err := traceOf(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return textOf(t, tr)
}

func textOf(t fataler, tr santest.Trace) string {
	t.Helper()
	text, err := tr.Text()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tr.Build(); err != nil {
		t.Fatal(err)
	}
	return text
}
