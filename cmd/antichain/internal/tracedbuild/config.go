// Package tracedbuild prepares the builds of traced programs and tests. It loads their
// specifications, and finds out which functions and variables the build has to record.
package tracedbuild

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// Config says what is built, and what is recorded of it.
type Config struct {
	GoFlags, Packages []string
	Dir               string          // for what the build needs
	Cache             string          // for what is kept for later builds; "" is the user's
	Source            specfile.Source // of the specification; default the *.tl files beside it
	Functions         []string        // patterns of functions that are recorded besides
	Otherwise         []string        // the same, if nothing else is recorded
	Steps             bool            // every statement is recorded
	Halts             bool            // the program is to be halted
	Lines             []rewrite.Line  // before which goroutines are to be held
	Builtins          []builtin.Property
	RaceIn            []string // patterns of packages whose accesses to memory are recorded besides
	Exclude           []string // patterns of packages that are not tested or reported
	Without           []string // capabilities of tracing that are left out, in tests

	// Admit, if it is not nil, refuses what cannot be checked before anything is built.
	Admit func(specfile.Specification) error
}

// instrument returns what the build needs, but for the specifications. It warns of a cache that may
// not stay: with a new one the build takes minutes.
func (c *Config) instrument(verb instrument.Verb, w io.Writer) (instrument.Config, error) {
	cache, warning, err := cachedir.Find(c.Cache)
	if warning != "" {
		fmt.Fprintln(w, "antichain: warning:", event.Printable(warning))
	}
	return instrument.Config{
		Verb: verb, GoFlags: c.GoFlags, Packages: c.Packages, CacheDir: c.Dir, Cache: cache, Stderr: w,
		Lines: c.Lines, Memory: findings.NeedsAccesses(c.Builtins), MemoryPackages: c.RaceIn, Without: c.Without,
	}, err
}

// admit refuses what cannot be checked.
func (c *Config) admit(s specfile.Specification) error {
	if c.Admit == nil {
		return nil
	}
	return c.Admit(s)
}

// request says what the specification files need to have recorded.
func (c *Config) request(files []*spec.File) rewrite.Request {
	r := rewrite.Request{FuncPatterns: c.Functions, Steps: c.Steps}
	for _, file := range files {
		for _, n := range file.Functions() {
			r.Functions = append(r.Functions, nameIn(file, n))
		}
		for _, n := range file.Variables() {
			r.Variables = append(r.Variables, nameIn(file, n))
		}
		for _, p := range file.Properties {
			for _, m := range spec.OperationsOf(p.Formula) {
				r.Operations = append(r.Operations, operationIn(file, p, m))
			}
		}
		for _, n := range file.Shared {
			r.Shared = append(r.Shared, nameIn(file, n))
		}
	}
	if wantsNothing(r) {
		r.FuncPatterns = c.Otherwise
	}
	return r
}

// named returns the functions that the specification files name for built-in properties.
func named(files []*spec.File) (all []rewrite.Name) {
	for _, file := range files {
		for _, n := range slices.Concat(file.MustFinish, file.MayWait) {
			all = append(all, nameIn(file, n))
		}
	}
	return all
}

// wantsNothing reports whether a request records no more than a build without one.
func wantsNothing(r rewrite.Request) bool {
	return len(r.Functions)+len(r.Variables)+len(r.Shared)+len(r.FuncPatterns) == 0
}

// operationIn says what an operation needs to have recorded.
func operationIn(file *spec.File, p *spec.Property, m *spec.Method) rewrite.Operation {
	o := rewrite.Operation{Function: nameIn(file, spec.Name{Name: m.Func, Pos: m.Pos}), Property: p.Name}
	for _, n := range m.Parameters() {
		o.Arguments = append(o.Arguments, nameIn(file, n))
	}
	for _, n := range m.Results() {
		o.Results = append(o.Results, nameIn(file, n))
	}
	return o
}

func nameIn(file *spec.File, n spec.Name) rewrite.Name {
	pos := file.Name
	if n.Pos.Line > 0 {
		pos = fmt.Sprintf("%s:%d:%d", file.Name, n.Pos.Line, n.Pos.Col)
	}
	return rewrite.Name{Text: n.Name, Pos: pos, Excerpt: file.Excerpt(n.Pos)}
}

// warn says what a build cannot record.
func warn(w io.Writer, b *instrument.Build) {
	for _, text := range b.Warnings {
		fmt.Fprintln(w, "antichain: warning:", event.Printable(text))
	}
	if !b.Release.IsKnown() {
		fmt.Fprintf(w, "antichain: %s is newer than this antichain: a self-test has shown what can be traced (antichain doctor)\n", b.Release.Name)
	}
	for _, l := range b.Lacks {
		use := "this program does not rely on it"
		switch {
		case !l.Order && len(l.Properties)+len(l.Verbs) == 0:
			use = "what only that shows is missed"
		case slices.Contains(b.Used, l.Name):
			use = "verdicts that need it are unknown"
		}
		fmt.Fprintf(w, "antichain: warning: %s is traced without %s; %s\n", b.Release.Name, event.Printable(l.String()), use)
	}
}

// Interruptible makes a build that an interrupt ends, with what it has started. What it has made
// for later builds stays.
func Interruptible(ctx context.Context, stderr io.Writer, build func(context.Context) error) error {
	ctx, stop := interrupt.Context(ctx, syscall.SIGTERM)
	defer stop()
	err := build(ctx)
	if errors.Is(context.Cause(ctx), interrupt.Err) {
		fmt.Fprintln(stderr, "antichain: interrupted while the traced program was built; nothing was checked")
		return exit.Code(interrupt.ExitCode)
	}
	return err
}

// excluded returns the directories of the packages that are to be left out.
func (c *Config) excluded(ctx context.Context, config instrument.Config) ([]string, error) {
	if len(c.Exclude) == 0 {
		return nil, nil
	}
	var dirs []string
	for _, pattern := range c.Exclude { // one by one: each of them has to match something
		config.Packages = []string{pattern}
		packages, err := instrument.ListPackages(ctx, config)
		if err != nil {
			return nil, fmt.Errorf("--exclude: %w", err)
		}
		if len(packages) == 0 {
			return nil, fmt.Errorf("--exclude %s matches no package", pattern)
		}
		for _, p := range packages {
			dirs = append(dirs, p.Dir)
		}
	}
	return dirs, nil
}

func pathsOf(packages []instrument.Package) []string {
	paths := make([]string, len(packages))
	for i, p := range packages {
		paths[i] = p.ImportPath
	}
	return paths
}

// without returns the packages that are not among the excluded ones.
func without(packages []instrument.Package, excluded []string) []instrument.Package {
	return slices.DeleteFunc(packages, func(p instrument.Package) bool { return slices.Contains(excluded, p.Dir) })
}
