package instrument

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tracer/instrument/frontend"
	"github.com/antichain-go/antichain/tracer/instrument/goroot"
)

// packageFlags returns the flags of go build that have the chosen packages tell their accesses to
// memory, if that is wanted, and others call the functions of sync/atomic.
func (b *Build) packageFlags(prog *frontend.Program, env *goEnv, calling map[string]bool) ([]string, error) {
	if !b.config.Memory && len(calling) == 0 {
		return nil, nil
	}
	users, err := b.compilerFlags(env)
	if err != nil {
		return nil, err
	}
	telling, err := b.telling(prog)
	if err != nil {
		return nil, err
	}
	var flags []string
	seen := map[string]bool{}
	for _, l := range prog.Packages {
		path := frontend.PlainPath(l.ImportPath)
		if seen[path] || strings.HasSuffix(path, ".test") {
			continue
		}
		seen[path] = true
		var ours []string
		if telling[path] {
			ours = append(ours, goroot.InstrumentMemory)
		}
		if calling[path] {
			ours = append(ours, goroot.CallAtomics)
		}
		if len(ours) == 0 {
			continue
		}
		args := strings.Join(ours, " ")
		for _, u := range users {
			if u.matches(l, b.config.Dir) {
				args = strings.TrimSpace(u.args + " " + strings.Join(ours, " "))
			}
		}
		flags = append(flags, "-gcflags="+path+"="+args)
	}
	return flags, nil
}

// telling returns the packages that are to tell their accesses to memory, without marks of test variants.
func (b *Build) telling(prog *frontend.Program) (map[string]bool, error) {
	if !b.config.Memory {
		return nil, nil
	}
	modules := map[string]bool{} // of the packages that are named
	for _, l := range prog.Packages {
		if !l.DepOnly && l.Module != nil {
			modules[l.Module.Path] = true
		}
	}
	telling, matching := map[string]bool{}, map[string]bool{}
	for _, l := range prog.Packages {
		path := frontend.PlainPath(l.ImportPath)
		if !goroot.CanInstrumentMemory(path) {
			continue
		}
		if !l.DepOnly || l.Module != nil && (l.Module.Main || modules[l.Module.Path]) {
			telling[path] = true
		}
		if b.config.Verb == Test && path == "testing" { // who uses a test that has ended is in a race there
			telling[path] = true
		}
		for _, pattern := range b.config.MemoryPackages {
			if (compilerFlag{pattern: pattern}).matches(l, b.config.Dir) {
				telling[path], matching[pattern] = true, true
			}
		}
	}
	for _, pattern := range b.config.MemoryPackages {
		if !matching[pattern] {
			return nil, fmt.Errorf("accesses to memory in %q: no package of the program matches, "+
				"of those in which they can be looked at; name import paths (go list -deps shows them), all, or std", pattern)
		}
	}
	return telling, nil
}

// compilerFlag is one -gcflags of the user's. Of those that match a package the last one counts, so
// ours must contain it.
type compilerFlag struct{ pattern, args string }

func (b *Build) compilerFlags(env *goEnv) ([]compilerFlag, error) {
	fromEnv, err := splitQuoted(env.GOFLAGS)
	if err != nil {
		return nil, err
	}
	var all []compilerFlag
	for _, f := range slices.Concat(parseGoFlags(fromEnv), b.flags) {
		if f.name != "gcflags" {
			continue
		}
		c := compilerFlag{args: strings.TrimSpace(f.value)}
		if pattern, args, ok := strings.Cut(c.args, "="); ok && !strings.HasPrefix(c.args, "-") {
			c = compilerFlag{strings.TrimSpace(pattern), strings.TrimSpace(args)}
		}
		all = append(all, c)
	}
	return all, nil
}

// matches reports whether go takes the flag to be for the package, if it runs in dir.
func (c compilerFlag) matches(l *frontend.Package, dir string) bool {
	switch {
	case c.pattern == "":
		return !l.DepOnly
	case c.pattern == "all":
		return true
	case c.pattern == "std":
		return l.Standard
	case strings.HasPrefix(c.pattern, ".") || filepath.IsAbs(c.pattern):
		return matches(absolute(dir, c.pattern), l.Dir)
	}
	return matches(c.pattern, frontend.PlainPath(l.ImportPath))
}

// matches reports whether a pattern, in which ... stands for anything, matches an import path or a
// directory. As with go, "x/..." matches x too.
func matches(pattern, name string) bool {
	re := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if before, ok := strings.CutSuffix(re, `/.*`); ok {
		re = before + `(/.*)?`
	}
	return regexp.MustCompile(`^` + re + `$`).MatchString(name)
}
