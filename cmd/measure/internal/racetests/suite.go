//go:build unix

package racetests

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck/builtin"
)

// suite is the tests, built.
type suite struct {
	release  string // of Go
	dir      string // where the tests run
	traced   string // executable
	detector string // that of go test -race, "" if that is not asked
	env      []string
	leftOut  []string // files
}

// build builds the tests of a toolchain.
func (s *settings) build(ctx context.Context, toolchain, temp string) (*suite, error) {
	b := &suite{traced: filepath.Join(temp, "traced"), env: append(os.Environ(), "GOTOOLCHAIN="+toolchain, "GOWORK=off", "GOFLAGS=")}
	if err := b.find(ctx, s.dir, temp); err != nil {
		return nil, err
	}
	files, err := testsOf(b.dir)
	if err != nil {
		return nil, err
	}
	if err := b.buildTraced(ctx, files, temp); err != nil {
		return nil, err
	}
	if s.detector {
		b.detector = filepath.Join(temp, "detector")
		_, err = b.goCommand(ctx, b.dir, append([]string{"test", "-c", "-race", "-vet=off", "-o", b.detector}, files...)...)
	}
	return b, err
}

// find finds the tests in dir, or else those of the toolchain. They are taken as they lie there,
// file by file, as package runtime/race does it. A toolchain in the module cache is traced by
// another path (see package instrument): its tests are copied.
func (b *suite) find(ctx context.Context, dir, temp string) error {
	out, err := b.goCommand(ctx, ".", "env", "GOVERSION", "GOROOT", "GOMODCACHE")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 3 {
		return fmt.Errorf("go env prints %q", out)
	}
	b.release = lines[0]
	if dir != "" {
		b.dir, err = filepath.Abs(dir)
		return err
	}
	b.dir = filepath.Join(lines[1], "src/runtime/race/testdata")
	if strings.HasPrefix(b.dir, lines[2]+string(filepath.Separator)) {
		return b.copyTests(filepath.Join(temp, "tests"))
	}
	return nil
}

// copyTests copies the tests to another directory, but for files that import what only the standard
// library can.
func (b *suite) copyTests(to string) error {
	files, err := testsOf(b.dir)
	if err != nil {
		return err
	}
	module := fmt.Sprintf("module racetests\n\ngo %s\n", strings.TrimPrefix(b.release, "go"))
	errs := []error{os.Mkdir(to, 0o700), os.WriteFile(filepath.Join(to, "go.mod"), []byte(module), 0o600)}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if bytes.Contains(text, []byte("\t\"internal/")) {
			b.leftOut = append(b.leftOut, filepath.Base(file))
			continue
		}
		errs = append(errs, err, os.WriteFile(filepath.Join(to, filepath.Base(file)), text, 0o600))
	}
	b.dir = to
	return errors.Join(errs...)
}

// goCommand runs a go command and returns what it prints.
func (b *suite) goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, b.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, &stderr)
	}
	return out, nil
}

// buildTraced builds the tests as antichain test --builtin race does.
func (b *suite) buildTraced(ctx context.Context, files []string, temp string) error {
	build, err := instrument.Prepare(ctx, instrument.Config{
		Verb: instrument.Test, Dir: b.dir, Env: b.env, GoFlags: []string{"-c", "-o", b.traced}, Packages: files,
		CacheDir: filepath.Join(temp, "cache"), Memory: true,
	})
	if err != nil {
		return err
	}
	if len(build.Lacks) > 0 {
		return fmt.Errorf("this release of Go cannot be traced in full: %s", build.Lacks[0])
	}
	cmd, err := build.TestCommand(ctx, nil, nil)
	if err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// names are those of the tests that say whether they have a race.
func (b *suite) names(ctx context.Context) ([]string, error) {
	cmd := exec.CommandContext(ctx, b.traced, "-test.list", "^Test(No)?Race")
	cmd.Dir = b.dir
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	all := strings.Fields(string(out))
	// TestMain prints, too
	return slices.DeleteFunc(all, func(name string) bool { return !strings.HasPrefix(name, "Test") }), nil
}

// judge runs a test until what its name says of it is so: a race that is there need not happen in
// each run.
func (b *suite) judge(ctx context.Context, s *settings, r *row) error {
	var err error
	if r.antichain, err = repeat(s, r, func() (outcome, string, error) { return b.traceOnce(ctx, r) }); err != nil || !s.detector {
		return err
	}
	r.detector, err = repeat(s, r, func() (outcome, string, error) { return b.detectOnce(ctx, r.name) })
	return err
}

// repeat runs a test as often as it takes, and returns what came out.
func repeat(s *settings, r *row, once func() (outcome, string, error)) (verdict, error) {
	times := s.repeats
	if r.racy() {
		times = s.tries
	}
	var v verdict
	for v.runs < times && v.outcome != reported && v.outcome != skipped {
		var err error
		if v.outcome, v.text, err = once(); err != nil {
			return v, err
		}
		v.runs++
	}
	return v, nil
}

// traceOnce runs a test under antichain.
func (b *suite) traceOnce(ctx context.Context, r *row) (outcome, string, error) {
	out, err := os.CreateTemp(filepath.Dir(b.traced), "out-")
	if err != nil {
		return quiet, "", err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	checker, err := builtin.New(builtin.Race)
	if err != nil {
		return quiet, "", err
	}
	run, err := launch.Start(ctx, launch.Config{
		Binary: b.traced, Args: testArgs(r.name), Dir: b.dir, Root: b.dir, Env: b.env, Watch: checker, Accesses: true, Stdout: out, Stderr: out,
	})
	if err != nil {
		return quiet, "", err
	}
	res, err := run.Wait()
	if err != nil {
		return quiet, "", err
	}
	if res.Missing != 0 || !res.Program.Accesses {
		return quiet, "", errors.New("records are missing")
	}
	printed, err := os.ReadFile(out.Name())
	if err != nil {
		return quiet, "", err
	}
	findings := slices.DeleteFunc(checker.Findings(run.Names()), func(f builtin.Finding) bool { return isOfPackage(f.Text) })
	if len(findings) > 0 {
		return reported, findings[0].Text, nil
	}
	return outcomeOf(printed), "", nil
}

// isOfPackage reports whether a race is that of the initialisation of the tests' package, which is
// in each run. Both accesses are in NewLog, at the head of its file.
func isOfPackage(text string) bool { return strings.Count(text, "regression_test.go:2") == 2 }

// detectOnce runs a test under the race detector as its own tests do.
func (b *suite) detectOnce(ctx context.Context, name string) (outcome, string, error) {
	cmd := exec.CommandContext(ctx, b.detector, testArgs(name)...)
	cmd.Dir = b.dir
	cmd.Env = append(slices.Clip(b.env), "GOMAXPROCS=1", "GORACE=suppress_equal_stacks=0 suppress_equal_addresses=0 atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return quiet, "", err
	}
	_, ofTest, _ := bytes.Cut(out, []byte("=== RUN")) // before it there is the race of the package
	if bytes.Contains(ofTest, []byte("DATA RACE")) {
		return reported, "", nil
	}
	return outcomeOf(ofTest), "", nil
}

func testArgs(name string) []string { return []string{"-test.v", "-test.run", "^" + name + "$"} }

// outcomeOf is what a test has come to by what it prints, as the detector's tests have it: a crash
// by concurrent use of a map counts.
func outcomeOf(printed []byte) outcome {
	switch {
	case bytes.Contains(printed, []byte("fatal error: concurrent map")):
		return reported
	case bytes.Contains(printed, []byte("--- SKIP:")):
		return skipped
	case !bytes.Contains(printed, []byte("--- PASS:")) && !bytes.Contains(printed, []byte("--- FAIL:")):
		return crashed
	}
	return quiet
}
