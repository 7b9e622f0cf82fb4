//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// suiteRun is what one run of a suite showed.
type suiteRun struct {
	seconds float64           // that the test binaries ran, with antichain's checks, without building them
	usage   usage             // of the test binaries, and of antichain
	results map[string]string // pass, fail or skip, by package and test
	output  string            // of tests that failed
	said    string            // by the command itself, on standard error: also the reports
}

// testEvent is a line of go test -json.
type testEvent struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// fetch puts a copy of the module into dir: the go command does not build replacements for files in
// its cache.
func (s *suite) fetch(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if s.module == std {
		return scratch(dir)
	}
	cmd := exec.Command("go", "mod", "download", "-json", s.module)
	cmd.Dir = dir
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if err := errors.Join(err, json.Unmarshal(out, &module)); err != nil {
		return fmt.Errorf("%s: %w %s", s.module, err, module.Error)
	}
	return os.CopyFS(dir, os.DirFS(module.Dir)) // which makes it writable
}

// scratch makes dir a module of the present version of Go: the standard library behaves as in that
// which the main module asks for.
func scratch(dir string) error {
	version, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		return err
	}
	mod := "module scratch\n\ngo " + goLine(string(version)) + "\n"
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644)
}

// goLine is what a go.mod says of a version that go env GOVERSION prints: of one that is not
// released, the release that it will be.
func goLine(version string) string {
	return released.FindString(strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(version, "devel "), "go")))
}

// released begins a version.
var released = regexp.MustCompile(`^1\.\d+(\.\d+|rc\d+)?`)

// build compiles what the suite needs, so that the runs find it in Go's cache.
func (s *suite) build(dir string, w way) error {
	cmd := s.command(dir, w, "-run", "^$")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}

func (s *suite) command(dir string, w way, flags ...string) *exec.Cmd {
	args := slices.Concat(w.test[1:], s.flags, flags, []string{s.tested}) // of two -run the later one counts
	cmd := exec.Command(w.test[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), w.env...)
	return cmd
}

// run runs the suite once.
func (s *suite) run(dir string, w way) (suiteRun, error) {
	cmd := s.command(dir, w, "-json", "-count=1", "-timeout=30m")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return suiteRun{}, err
	}
	if err := cmd.Start(); err != nil {
		return suiteRun{}, err
	}
	tree := watchTree(cmd.Process.Pid)
	r := suiteRun{results: map[string]string{}}
	err = r.read(out)
	waited := cmd.Wait()
	r.usage = tree.end()
	r.said = stderr.String()
	if err != nil {
		return r, err
	}
	if len(r.results) == 0 {
		return r, fmt.Errorf("%s: no test ran: %w\n%s%s", strings.Join(cmd.Args, " "), waited, r.output, r.said)
	}
	return r, nil
}

// isFinding reports whether a test of go test -json stands for what antichain test has found.
func isFinding(test string) bool { return test == "antichain" || strings.HasPrefix(test, "antichain/") }

// read reads the output of go test -json.
func (r *suiteRun) read(out io.Reader) error {
	dec := json.NewDecoder(out)
	said, failed := map[string][]string{}, map[string]bool{}
	for {
		var e testEvent
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			_, copied := io.Copy(io.Discard, out)
			return errors.Join(err, copied)
		}
		name := e.Package + " " + e.Test
		switch e.Action {
		case "output":
			said[name] = append(said[name], e.Output)
		case "pass", "fail", "skip":
			if e.Test == "" {
				r.seconds += e.Elapsed
			}
			// A package that fails without a test that does has ended early.
			if isFinding(e.Test) {
				failed[e.Package] = true
			} else if e.Test != "" || e.Action == "fail" && !failed[e.Package] {
				r.results[name] = e.Action
			}
			if e.Action == "fail" {
				failed[e.Package] = true
				r.output += strings.Join(said[name], "")
			}
			delete(said, name)
		}
	}
}
