package specfile

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A specification is parsed once, and stays the same when its paths become absolute. Another
// process parses it again.
func TestSpecification(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.tl", []byte("property p: not t:(in.f)\nproperty q: t:(n >= 0)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	from := Source{Files: []string{"a.tl"}, Formulas: []string{"t:(not in.g)"}, Shared: []string{"v"}}
	s, err := from.Parse()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove("a.tl"); err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs("a.tl")
	if err != nil {
		t.Fatal(err)
	}
	named := s.Absolute()
	for _, tt := range []struct {
		s    Specification
		name string
	}{{s, "a.tl"}, {named, path}} {
		properties := tt.s.Properties()
		if len(properties) != 3 || len(tt.s.Parsed) != 3 {
			t.Fatalf("%d properties in %d files", len(properties), len(tt.s.Parsed))
		}
		for i, want := range []string{tt.name, tt.name, "-e"} {
			if properties[i].File != want || tt.s.Parsed[i/2].Name != []string{tt.name, "-e"}[i/2] {
				t.Errorf("property %d is of file %s, want %s", i, properties[i].File, want)
			}
		}
	}
	text, err := json.Marshal(named)
	if err != nil {
		t.Fatal(err)
	}
	var again Specification
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if again.Parsed != nil || len(again.Files) != 1 || again.Files[0] != path ||
		again.Formulas[0] != from.Formulas[0] || again.Shared[0] != "v" {
		t.Errorf("%s is read as %+v", text, again)
	}
}

// TestMistakes: run and fmt show the mistakes of a file together, as far as they are not too many.
func TestMistakes(t *testing.T) {
	for n, last := range map[int]string{2: "wrong.tl:2:21: ", mostShown + 2: "wrong.tl: 2 more mistakes"} {
		file := filepath.Join(t.TempDir(), "wrong.tl")
		text := ""
		for i := range n {
			text += fmt.Sprintf("property p%d: t:(x ==)\n", i)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, loaded := (&Source{Files: []string{file}}).Load()
		var f Formatter
		_, formatted := f.file(io.Discard, file)
		for _, err := range []error{loaded, formatted} {
			if err == nil {
				t.Fatal("no error")
			}
			if got := err.Error(); !strings.Contains(got, last) || strings.Count(got, "wrong.tl:") != min(n, mostShown+1) {
				t.Errorf("%d mistakes: %s", n, got)
			}
		}
	}
}
