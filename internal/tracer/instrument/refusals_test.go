package instrument

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module m
go 1.26
-- main.go --
package main
func main() {}
-- types/main.go --
package main
func main() { var x int = "a" }
-- syntax/main.go --
package main
func main() { if }
-- imports/main.go --
package main
import _ "m/nothing"
func main() {}
`)
	request := parseRequest(t, "func main")
	for _, tt := range []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"race", func(c *Config) { c.GoFlags = []string{"-race"} }, "-race cannot be combined with tracing"},
		{"race in GOFLAGS", func(c *Config) { c.Env = append(os.Environ(), "GOFLAGS=-race") },
			"-race cannot be combined with tracing"},
		{"shared library", func(c *Config) { c.GoFlags = []string{"-buildmode", "c-shared"} },
			"-buildmode=c-shared cannot be combined with tracing, since it builds no program"},
		{"plugin in GOFLAGS", func(c *Config) { c.Env = append(os.Environ(), "GOFLAGS=-buildmode=plugin") },
			"-buildmode=plugin cannot be combined with tracing"},
		{"coverage", func(c *Config) { c.GoFlags = []string{"-coverprofile", "c.out"} },
			"-coverprofile cannot be combined with a specification that names functions"},
		{"coverage of packages", func(c *Config) { c.GoFlags = []string{"-cover=false", "-coverpkg", "m"} },
			"-coverpkg cannot be combined with a specification"},
		{"another starter", func(c *Config) { c.GoFlags = []string{"-exec", "sudo"} },
			"-exec cannot be combined with tracing: antichain starts"},
		{"commands only", func(c *Config) { c.GoFlags = []string{"-n"} }, "-n cannot be combined with tracing"},
		{"system", func(c *Config) { c.Env = append(os.Environ(), "GOOS=darwin") }, "programs for darwin/"},
		{"no go", func(c *Config) { c.Go = "no-such-go-command" }, "no go command in PATH"},
		{"types", func(c *Config) { c.Packages = []string{"./types"}; c.Specs[0].Package = "m/types" },
			"types/main.go:2:27: cannot use \"a\""},
		{"syntax", func(c *Config) { c.Packages = []string{"./syntax"}; c.Specs[0].Package = "m/syntax" },
			"syntax/main.go:2:18: "},
		{"imports", func(c *Config) { c.Packages = []string{"./imports"}; c.Specs[0].Package = "m/imports" },
			"imports/main.go:2:8: package m/nothing is not in std"},
		{"package", func(c *Config) { c.Packages = []string{"./nowhere"} }, "nowhere"},
		{"specification", func(c *Config) { c.Specs[0].Package = "m/other" },
			"package m/other of the specification is not part of the build"},
		{"overlay", func(c *Config) { c.GoFlags = []string{"-overlay", "none.json"} }, "-overlay: open "},
		{"memory of nothing", func(c *Config) {
			c.Memory, c.MemoryPackages = true,
				[]string{"runtime", "container/lisp"}
		}, `--race-in container/lisp: no package of the program matches`},
		{"memory of sync", func(c *Config) { c.Memory, c.MemoryPackages = true, []string{"sync"} },
			`--race-in sync: no package of the program matches`},
		{"cache", func(c *Config) { c.CacheDir = filepath.Join(dir, "main.go") }, "main.go"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Config{Dir: dir, CacheDir: t.TempDir(), Specs: []rewrite.Spec{{Package: "m", Request: request}}}
			tt.change(&c)
			_, err := Prepare(context.Background(), c)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v\nwant %q", err, tt.want)
			}
		})
	}
}

// As for go, the last one of several build modes counts.
func TestLastBuildMode(t *testing.T) {
	env := &goEnv{GOOS: "linux", GOARCH: "amd64"}
	if err := env.check(parseGoFlags([]string{"-buildmode=c-shared", "-buildmode", "pie"})); err != nil {
		t.Error(err)
	}
	if err := env.check(parseGoFlags([]string{"-buildmode=pie", "-buildmode=c-shared"})); err == nil {
		t.Error("no error")
	}
}
