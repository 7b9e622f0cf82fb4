package instrument

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/instrument/goroot"
)

// Inspection describes tracing with the go command of a directory and its environment.
type Inspection struct {
	Release      goroot.Release
	Root         string // GOROOT
	Command      string // the path of the go command
	OS, Arch     string // for which it builds
	Flags        string // GOFLAGS
	Cgo          bool   // CGO_ENABLED
	Compiler     string // for C, "" if there is none
	BuildCache   string
	Capabilities []CapabilityState

	// Obstacles are the reasons why nothing can be traced here, one sentence with its remedy each.
	Obstacles []string
}

// CapabilityState is a capability of tracing, and whether it is available.
type CapabilityState struct {
	goroot.CapabilityInfo
	Why error // why not; nil if it is
}

// Inspect finds out which programs can be traced. It builds and runs the self-test where that has
// not been done before.
func Inspect(ctx context.Context, c Config) (*Inspection, error) {
	if _, err := c.normalise(); err != nil {
		return nil, err
	}
	env, err := c.goEnv(ctx)
	if err != nil {
		return nil, err
	}
	in := &Inspection{Root: env.GOROOT, OS: env.GOOS, Arch: env.GOARCH, Flags: env.GOFLAGS}
	if in.Command, err = exec.LookPath(c.goCommand()); err != nil {
		in.Command = c.goCommand()
	}
	in.Cgo, in.BuildCache = env.CGO_ENABLED == "1", env.GOCACHE
	if words := strings.Fields(env.CC); len(words) > 0 {
		in.Compiler, _ = exec.LookPath(words[0])
	}
	in.Obstacles = obstacles(env)
	if err := cachedir.Private(c.CacheDir); err != nil {
		return nil, err
	}
	if env, err = c.relocate(env); err != nil {
		return nil, err
	}
	return in, in.test(ctx, &c, env)
}

func obstacles(env *goEnv) []string {
	var all []string
	words, err := splitQuoted(env.GOFLAGS)
	if err != nil {
		return []string{fmt.Sprintf("GOFLAGS: %v", err)}
	}
	for _, f := range parseGoFlags(words) {
		if err := env.check([]goFlag{f}); err != nil {
			all = append(all, err.Error())
		}
	}
	if err := env.check(nil); err != nil {
		all = []string{err.Error()}
	}
	return all
}

// test finds out which capabilities there are, with and without accesses to memory.
func (in *Inspection) test(ctx context.Context, c *Config, env *goEnv) error {
	why := make(map[string]error)
	for _, memory := range []bool{false, true} {
		c.Memory = memory
		lib, err := (&overlay{dir: c.CacheDir, replace: map[string]string{}}).addGoroot(ctx, c, env)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			in.Release = goroot.ReleaseOf(in.Root)
			if len(in.Obstacles) == 0 {
				in.Obstacles = append(in.Obstacles, err.Error())
			}
			for _, info := range goroot.Capabilities() {
				why[info.Name] = errNothing
			}
			break
		}
		in.Release = lib.Release
		for _, l := range lib.Lacks {
			if why[l.Name] == nil {
				why[l.Name] = l.Why
			}
		}
	}
	for _, info := range goroot.Capabilities() {
		in.Capabilities = append(in.Capabilities, CapabilityState{info, why[info.Name]})
	}
	return nil
}

var errNothing = errors.New("nothing can be traced with this toolchain")

// Complete reports whether everything can be traced.
func (in *Inspection) Complete() bool {
	return len(in.Obstacles) == 0 &&
		!slices.ContainsFunc(in.Capabilities, func(c CapabilityState) bool { return c.Why != nil })
}
