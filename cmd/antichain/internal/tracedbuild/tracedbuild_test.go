package tracedbuild

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
)

func TestCommandName(t *testing.T) {
	for _, tt := range []struct{ path, pattern, want string }{
		{"example.org/server", ".", "server"},
		{"example.org/server/v2", "./...", "server"},
		{"command-line-arguments", "dir/main.go", "main"},
	} {
		if got := commandName(tt.path, tt.pattern); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.path, got, tt.want)
		}
	}
}

// What a specification names is recorded, and without a name what was said for that.
func TestRequest(t *testing.T) {
	from := specfile.Source{Formulas: []string{"t:(in.f and n > 0)"}, Shared: []string{"v"}}
	s, err := from.Parse()
	if err != nil {
		t.Fatal(err)
	}
	c := &Config{Otherwise: []string{"*"}}
	r := c.request(s.Parsed)
	if len(r.Functions) != 1 || r.Functions[0].Text != "f" || len(r.Variables) != 1 || r.Variables[0].Text != "n" || len(r.Shared) != 1 || len(r.FuncPatterns) > 0 {
		t.Errorf("%+v", r)
	}
	if r := c.request(nil); wantsNothing(r) || r.FuncPatterns[0] != "*" {
		t.Errorf("%+v", r)
	}
	if r := new(Config).request(nil); !wantsNothing(r) {
		t.Errorf("%+v", r)
	}
}

// Each specification belongs to the package in whose directory it lies, and is parsed once.
func TestSpecifications(t *testing.T) {
	dir := t.TempDir()
	packages := make([]instrument.Package, 2)
	for i, name := range []string{"a", "b"} {
		packages[i].ImportPath, packages[i].Dir = "example.org/"+name, filepath.Join(dir, name)
		if err := os.Mkdir(packages[i].Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(packages[i].Dir, name+".tl"), []byte("property "+name+": t:(not in.f)\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(packages[1].Dir, "b.tl")
	check := func(c *Config, path string, want ...string) {
		t.Helper()
		specs, err := c.specifications(packages)
		if err != nil {
			t.Fatal(err)
		}
		s := specs[path]
		properties := s.Properties()
		if len(properties) != len(want) {
			t.Fatalf("%s has %d properties", path, len(properties))
		}
		for i, name := range want {
			if properties[i].Name != name {
				t.Errorf("property %s, want %s", properties[i].Name, name)
			}
		}
	}
	check(new(Config), "example.org/a", "a")
	check(new(Config), "example.org/b", "b")
	named := &Config{Source: specfile.Source{Files: []string{file}}}
	check(named, "example.org/a")
	check(named, "example.org/b", "b")
	formula := &Config{Source: specfile.Source{Formulas: []string{"t:(not in.g)"}}}
	if _, err := formula.specifications(packages); err == nil || !strings.Contains(err.Error(), "-e: which of the 2 packages do its names belong to?") {
		t.Error(err)
	}
	packages = packages[1:]
	formula.Source.Files = []string{file, file}
	check(formula, "example.org/b", "b", "b", "-e")
}

func TestIsPackage(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("run.trace", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]bool{
		".": true, "main.go": true, "gone/main.go": true, "./...": true, "example.org/cmd/server": true,
		"run.trace": false, "./run.trace": false, "gone.trace": false, "./gone": false, "../gone/run.trace": false,
	} {
		if got := IsPackage(word); got != want {
			t.Errorf("%s: %v", word, got)
		}
	}
}

func TestLibraryText(t *testing.T) {
	for took, want := range map[time.Duration]string{
		0:                "building the traced program and, once for go1.26, the standard library",
		85 * time.Second: "building the traced program and, once for go1.26, the standard library, which took 1m25s last time",
	} {
		if got := libraryText("go1.26", took); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
