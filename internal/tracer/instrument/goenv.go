package instrument

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/antichain-go/antichain/internal/tracer/instrument/gocommand"
)

// goEnv is the answer of go env in the user's directory.
type goEnv gocommand.Environment

// answers are the goEnv of this process, by what was asked: the command, its directory and its
// environment.
var answers sync.Map

func (c *Config) goCommand() string { return cmp.Or(c.Go, "go") }

// command is a go command in the user's directory and environment.
func (c *Config) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := gocommand.New(ctx, c.goCommand(), args...)
	cmd.Dir = c.Dir
	cmd.Env = gocommand.EnvIn(c.CacheDir, c.Env)
	return cmd
}

// output runs a go command and returns its output.
func (c *Config) output(ctx context.Context, args ...string) ([]byte, error) {
	cmd := c.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("no go command in PATH: antichain builds with the Go toolchain (https://go.dev/dl)")
	}
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return stdout.Bytes(), nil
}

// goEnv returns what go env says, which is asked for once.
func (c *Config) goEnv(ctx context.Context) (*goEnv, error) {
	cmd := c.command(ctx)
	question := fmt.Sprintf("%q %q %q", cmd.Path, cmd.Dir, cmd.Environ())
	if known, ok := answers.Load(question); ok {
		return known.(*goEnv), nil
	}
	answer, err := gocommand.Ask(func(args ...string) ([]byte, error) { return c.output(ctx, args...) })
	if err != nil {
		return nil, err
	}
	answers.Store(question, (*goEnv)(answer))
	return (*goEnv)(answer), nil
}

// flags returns the flags of GOFLAGS, followed by own.
func (env *goEnv) flags(own []goFlag) ([]goFlag, error) {
	words, err := splitQuoted(env.GOFLAGS)
	if err != nil {
		return nil, err
	}
	return append(parseGoFlags(words), own...), nil
}

const refusedDetector = ", which takes the same place in the runtime"

// refused are the flags of go that cannot be combined with tracing, and why.
var refused = map[string]string{
	"race": refusedDetector, "msan": refusedDetector, "asan": refusedDetector,
	"exec": ": antichain starts what was built itself",
	"n":    ": it builds nothing that could be traced (-x prints the commands, too)",
}

// check rejects flags and environments that rule out tracing, before anything is built.
func (env *goEnv) check(flags []goFlag) error {
	if env.GOOS != "linux" || env.GOARCH != "amd64" && env.GOARCH != "arm64" {
		return fmt.Errorf("programs for %s/%s cannot be traced, only those for linux/amd64 and linux/arm64; checking "+
			"traces works everywhere", env.GOOS, env.GOARCH)
	}
	mode := "default"
	for _, f := range flags {
		if f.name == "buildmode" {
			mode = f.value
		}
		// A boolean flag may be set to false.
		if why := refused[f.name]; why != "" && (f.isTrue() || !goFlagIn(boolGoFlags, f.name)) {
			return fmt.Errorf("-%s cannot be combined with tracing%s; leave it out (see also GOFLAGS)", f.name, why)
		}
	}
	if mode != "default" && mode != "exe" && mode != "pie" {
		return fmt.Errorf("-buildmode=%s cannot be combined with tracing, since it builds no program: leave it out "+
			"(see also GOFLAGS), or use exe or pie", mode)
	}
	return nil
}

// checkCoverage refuses to measure coverage of a program with rewritten files: go would measure the
// original ones.
func (c *Config) checkCoverage(flags []goFlag) error {
	if len(c.Specs)+len(c.Lines) == 0 {
		return nil
	}
	if flag := coverage(flags); flag != "" {
		return fmt.Errorf("-%s cannot be combined with a specification that names functions or variables, nor with "+
			"halting the program: go measures coverage of the files as they lie there, not of the traced ones; leave "+
			"out one of them (see also GOFLAGS)", flag)
	}
	return nil
}

// coverage returns the flag by which go measures coverage, "" if it does not. Coverage opens the
// files of the program itself, which rules out replacing or adding any.
func coverage(flags []goFlag) string {
	for _, f := range flags {
		if slices.Contains([]string{"covermode", "coverpkg", "coverprofile"}, f.name) || f.name == "cover" &&
			f.isTrue() {
			return f.name
		}
	}
	return ""
}

// useNoModules names a module cache that does not exist if there is none, without HOME and GOPATH:
// go would consider every file to be in it, and refuse to replace any.
func (c *Config) useNoModules() {
	if c.Env == nil {
		c.Env = os.Environ()
	}
	c.Env = append(slices.Clip(c.Env), "GOMODCACHE="+filepath.Join(c.CacheDir, "no-modules"))
}
