package instrument

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
	"github.com/antichain-go/antichain/internal/tracer/instrument/goroot"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
)

// keepFunctions is the flag with which the compiler inlines no function of a package, neither there
// nor in packages that import it. The number stands for any flags -l before it: two of these would
// have the compiler inline more.
const keepFunctions = "-l=1"

// packageFlags returns the flags of go build that make the chosen packages report their accesses to
// memory, if that is wanted, and others call the functions of sync/atomic. A function that is
// marked //go:norace reports none. But the compiler only knows the mark in the package of the
// function: elsewhere it sees the code that was inlined, without the mark, unless the function's
// package is compiled with -race, too. So functions of packages that have such marks and are
// compiled without -race are not inlined. The standard library has some only in package syscall, of
// system calls, and in packages below crypto that programs cannot import.
func (b *Build) packageFlags(prog *frontend.Program, calling map[string]bool) ([]string, error) {
	if !b.config.Memory && len(calling) == 0 {
		return nil, nil
	}
	users := b.compilerFlags()
	reporting, err := b.reportingPackages(prog)
	if err != nil {
		return nil, err
	}
	if b.config.Memory {
		b.Hidden, b.Silent = hidden(prog, reporting), silent(prog, reporting)
	}
	flags := b.libraryFlags(prog)
	inLibrary := len(flags) > 0
	seen := map[string]bool{}
	for _, l := range prog.Packages {
		path := frontend.PlainPath(l.ImportPath)
		if seen[path] || strings.HasSuffix(path, ".test") || inLibrary && l.Standard {
			continue
		}
		seen[path] = true
		var ours []string
		if reporting[path] {
			ours = append(ours, goroot.InstrumentMemory)
		}
		if calling[path] {
			ours = append(ours, goroot.CallAtomics)
		}
		if b.config.Memory && !reporting[path] && !l.Standard && hasNoRace(l, prog.Replace) {
			ours = append(ours, keepFunctions)
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

// libraryFlags returns flags for all packages of the standard library, nil if the user has given
// flags for some, and each needs its own. The go command compares each package with each pattern,
// which takes a second if every package is one.
func (b *Build) libraryFlags(prog *frontend.Program) []string {
	if !b.config.Memory {
		return nil
	}
	users := b.compilerFlags()
	for _, l := range prog.Packages {
		if l.Standard && slices.ContainsFunc(users, func(u compilerFlag) bool { return u.matches(l, b.config.Dir) }) {
			return nil
		}
	}
	flags := []string{"-gcflags=std=" + goroot.InstrumentMemory}
	// including imports of the agent
	for _, path := range slices.Concat(goroot.NeverInstrumented, []string{rewrite.AgentPath}) {
		flags = append(flags, "-gcflags="+path+"=")
	}
	return flags
}

// reportingPackages returns the packages that are to report their accesses to memory, without marks
// of test variants.
func (b *Build) reportingPackages(prog *frontend.Program) (map[string]bool, error) {
	if !b.config.Memory {
		return nil, nil
	}
	modules := map[string]bool{} // of the packages that are named
	for _, l := range prog.Packages {
		if !l.DepOnly && l.Module != nil {
			modules[l.Module.Path] = true
		}
	}
	reporting, matching := map[string]bool{}, map[string]bool{}
	for _, l := range prog.Packages {
		path := frontend.PlainPath(l.ImportPath)
		if !goroot.CanInstrumentMemory(path) {
			continue
		}
		if !l.DepOnly || l.Standard || l.Module != nil && (l.Module.Main || modules[l.Module.Path]) {
			reporting[path] = true
		}
		for _, pattern := range b.config.MemoryPackages {
			if (compilerFlag{pattern: pattern}).matches(l, b.config.Dir) {
				reporting[path], matching[pattern] = true, true
			}
		}
	}
	for _, pattern := range b.config.MemoryPackages {
		if !matching[pattern] {
			return nil, fmt.Errorf("--race-in %s: no package of the program matches whose accesses to memory can be "+
				"recorded%s; "+
				"name import paths (go list -deps shows them), or all", pattern, b.similarPackage(prog, pattern))
		}
	}
	return reporting, nil
}

// silent returns the packages that could report their accesses to memory, and do not.
func silent(prog *frontend.Program, reporting map[string]bool) (paths []string) {
	for _, l := range prog.Packages {
		path := frontend.PlainPath(l.ImportPath)
		if !reporting[path] && goroot.CanInstrumentMemory(path) && !strings.HasSuffix(path, ".test") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// similarPackage suggests a package for a pattern that matches none.
func (b *Build) similarPackage(prog *frontend.Program, pattern string) string {
	var all []string
	for _, l := range prog.Packages {
		switch rel, err := filepath.Rel(frontend.Absolute(b.config.Dir, "."), l.Dir); {
		case !goroot.CanInstrumentMemory(frontend.PlainPath(l.ImportPath)):
		case !strings.HasPrefix(pattern, "."):
			all = append(all, frontend.PlainPath(l.ImportPath))
		case err == nil && !l.Standard:
			all = append(all, "./"+filepath.ToSlash(rel))
		}
	}
	return rewrite.Suggest(strings.TrimSuffix(pattern, "/..."), all)
}

// HiddenInExecutable is Build.Hidden of an executable that was built before.
const HiddenInExecutable = "a built executable does not say which accesses to memory are recorded"

// hidden says why some accesses to memory are not reported, "" if all are. Not reported are those
// of packages that are not instrumented, of other languages, and some that the runtime makes for
// package reflect when it is used to write.
func hidden(prog *frontend.Program, reporting map[string]bool) string {
	for _, l := range prog.Packages {
		path := frontend.PlainPath(l.ImportPath)
		switch {
		case !reporting[path] && goroot.CanInstrumentMemory(path) && !strings.HasSuffix(path, ".test"):
			return fmt.Sprintf("what package %s does to memory is not recorded: add --race-in all", path)
		case !l.Standard && len(l.CgoFiles)+len(l.SFiles) > 0:
			return fmt.Sprintf("what package %s does to memory in other languages than Go is not recorded", path)
		case slices.Contains(l.Imports, "reflect") && !onlyReads(path):
			return fmt.Sprintf("what package %s does to memory through package reflect may be recorded in part", path)
		case !l.Standard && slices.Contains(l.Imports, "unsafe"):
			return fmt.Sprintf("what package %s does to memory with package unsafe may be recorded in part", path)
		case !l.Standard:
			if i := slices.IndexFunc(l.Imports, usesAssembly); i >= 0 {
				return fmt.Sprintf("what package %s does to memory for package %s in assembly is not recorded",
					l.Imports[i], path)
			}
			if what := unseen(l); what != "" {
				return fmt.Sprintf("what %s does to memory in package %s is not recorded", what, path)
			}
		}
	}
	return ""
}

// usesAssembly reports whether a package of the standard library touches memory of its callers in
// assembly, itself or through others.
func usesAssembly(path string) bool {
	switch first, _, _ := strings.Cut(path, "/"); first {
	case "bytes", "crypto", "hash":
		return true
	}
	return path == "math/big"
}

// onlyReads reports whether a package of the standard library that uses reflect only reads with it,
// except for values that it makes itself.
func onlyReads(path string) bool {
	switch path {
	case "fmt", "flag", "log/slog", "testing", "testing/internal/testdeps":
		return true
	}
	return strings.HasPrefix(path, "internal/")
}

// compilerFlag is a flag -gcflags of the user. Only the last such flag that matches a package
// counts, so our flag must repeat its arguments.
type compilerFlag struct{ pattern, args string }

func (b *Build) compilerFlags() (all []compilerFlag) {
	for _, f := range b.all {
		if f.name != "gcflags" {
			continue
		}
		c := compilerFlag{args: strings.TrimSpace(f.value)}
		if pattern, args, ok := strings.Cut(c.args, "="); ok && !strings.HasPrefix(c.args, "-") {
			c = compilerFlag{strings.TrimSpace(pattern), strings.TrimSpace(args)}
		}
		all = append(all, c)
	}
	return all
}

// matches reports whether go applies the flag to the package, if it runs in dir.
func (c compilerFlag) matches(l *frontend.Package, dir string) bool {
	switch {
	case c.pattern == "":
		return !l.DepOnly
	case c.pattern == "all":
		return true
	case c.pattern == "std":
		return l.Standard
	case strings.HasPrefix(c.pattern, ".") || filepath.IsAbs(c.pattern):
		return matches(frontend.Absolute(dir, c.pattern), l.Dir)
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
