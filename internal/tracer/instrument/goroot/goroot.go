package goroot

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/cachedir"
	hooks "github.com/antichain-go/antichain/internal/tracer/agent/runtime"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/strategy"
)

// Options choose the contents of the overlay. The zero value is the full overlay, without parts
// that do not fit.
type Options struct {
	// Memory makes the program report its memory accesses too: those of packages that are compiled
	// with the flag InstrumentMemory, and of maps, slices and channels everywhere.
	Memory bool

	// Without lists capabilities to leave out, by name, with the reason.
	Without map[string]error
}

// Overlay is a set of replacements of files in GOROOT.
type Overlay struct {
	Replace map[string]string // file below GOROOT -> its replacement; for go build -overlay
	// the capabilities that it lacks, in their order; empty for the full overlay
	Lacks   []Lack
	Release Release // of the standard library
	Hash    string  // of the contents of all files

	// the capabilities that have changed or added a file, by the replacement
	patched  map[string][]string
	contents map[string]string // of the replacements
}

// Write writes the overlay for the Go tree at goroot into a directory below dir that is named after
// the contents. Existing files with the same content stay untouched, so several processes may share
// dir. Overlays that have not been used for long are removed from it. A capability with a patch
// that does not match is left out, and Lacks says so. An error means that there is no overlay at
// all; after a *WriteError another dir may work.
func Write(dir, goroot string, opt Options) (*Overlay, error) {
	g := newGenerator(goroot, opt)
	if err := g.generate(); err != nil {
		return nil, err
	}
	o := &Overlay{Lacks: g.missing(), Release: g.release, Replace: make(map[string]string, len(g.files)),
		patched: make(map[string][]string), contents: make(map[string]string)}
	sum := sha256.New()
	names := slices.Sorted(maps.Keys(g.files))
	for _, name := range names {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(g.files[name]), g.files[name])
	}
	o.Hash = hex.EncodeToString(sum.Sum(nil))

	own := filepath.Join(dir, o.Hash[:32])
	cachedir.Use(own) // before another process removes it
	if _, err := os.Stat(own); err != nil {
		cachedir.RemoveOld(dir)
	}
	for _, name := range names {
		path := fileFor(own, name)
		if err := cachedir.WriteFile(path, []byte(g.files[name])); err != nil {
			return nil, &WriteError{err}
		}
		o.contents[path] = g.files[name]
		o.Replace[filepath.Join(goroot, "src", filepath.FromSlash(name))] = path
		o.patched[path] = g.changedBy[name]
	}
	o.leaveOutDetector(goroot)
	g.noteDown(o, dir, goroot, opt)
	return o, nil
}

// intact returns a *WriteError if a file of the overlay has changed: a cache may be cleaned at any
// time.
func (o *Overlay) intact() error {
	for path, content := range o.contents {
		if !cachedir.Has(path, []byte(content)) {
			return &WriteError{fmt.Errorf("%s was changed or removed while it was in use: run it again", path)}
		}
	}
	return nil
}

// WriteError says that the files of an overlay could not be written.
type WriteError struct{ Err error }

func (e *WriteError) Error() string { return e.Err.Error() }
func (e *WriteError) Unwrap() error { return e.Err }

// MismatchError says that a patch was written for another standard library.
type MismatchError struct{ Err error }

func (e *MismatchError) Error() string { return e.Err.Error() }
func (e *MismatchError) Unwrap() error { return e.Err }

// generator makes the files of an overlay.
type generator struct {
	root    string // GOROOT/src
	tree    fs.FS  // its contents
	release Release

	wantsMemory  bool             // accesses are to be reported if that works
	memory       bool             // accesses are reported
	capabilities []*capability    // in their order
	without      map[string]error // capabilities that are left out

	files   map[string]string      // changed and new files, by their names below root
	sources map[string]*sourceFile // files of the standard library that have been read

	changedBy map[string][]string // the capabilities that have changed or added a file

	// what the capabilities change and what their changes result in, which tests share where they
	// generate many overlays of one library
	changes  map[*capability]changeResult
	finished map[string]string // files with all changes and imports, by what they are made of

	read     map[string]string // the texts of the files in tree that have been read
	searched bool              // the list of files matters, too
}

// sourceFile is a file of the standard library.
type sourceFile struct {
	text string
	all  []lexeme
}

// newGenerator returns a generator for the Go tree at goroot.
func newGenerator(goroot string, opt Options) *generator {
	g := &generator{
		root: filepath.Join(goroot, "src"), tree: os.DirFS(filepath.Join(goroot, "src")), release: ReleaseOf(goroot),
		wantsMemory: opt.Memory, capabilities: capabilities, without: make(map[string]error),
		files: make(map[string]string), sources: make(map[string]*sourceFile), changedBy: make(map[string][]string),
		changes: make(map[*capability]changeResult), finished: make(map[string]string),
		read: make(map[string]string),
	}
	maps.Copy(g.without, opt.Without)
	return g
}

// generate makes the files of the overlay.
func (g *generator) generate() error {
	if g.release.Minor < Oldest {
		return fmt.Errorf("%s is too old: programs are traced with Go 1.%d and newer; use such a toolchain "+
			"(GOTOOLCHAIN)", g.release.Name, Oldest)
	}
	if err := g.patches(); err != nil {
		return err
	}
	if g.wantsMemory && g.without[memory.name] == nil {
		g.without[memory.name] = g.widenStacks()
	}
	g.memory = g.wantsMemory && g.without[memory.name] == nil
	if err := g.hooks(); err != nil {
		return err
	}
	if err := g.enableRace(); err != nil {
		return err
	}
	if err := g.ignoreTag(); err != nil {
		return err
	}
	roots, err := g.libraryRoots()
	if err != nil {
		return err
	}
	g.files["runtime/antichain_patched.go"] = g.patchedSource(roots)
	// Go's cache considers an object of the standard library to be the same at every place, but the
	// compiler writes full names of replaced files into it.
	for name := range g.files {
		g.files[name] += "\n// In place of a file below " + g.root + ".\n"
	}
	return nil
}

// missing returns the capabilities that are left out.
func (g *generator) missing() []Lack {
	var all []Lack
	for _, c := range g.capabilities {
		if why := g.without[c.name]; why != nil {
			all = append(all, c.missing(why))
		}
	}
	return all
}

// libraryRoots returns the first elements of the standard library's import paths, sorted. A tree
// that mirrors one elsewhere has links.
func (g *generator) libraryRoots() ([]string, error) {
	entries, err := fs.ReadDir(g.tree, ".")
	if err != nil {
		return nil, err
	}
	var roots []string
	for _, e := range entries {
		info, err := fs.Stat(g.tree, e.Name())
		if err != nil {
			return nil, err
		}
		if info.IsDir() && e.Name() != "cmd" {
			roots = append(roots, e.Name())
		}
	}
	return roots, nil
}

// patchedSource sets constants of the hooks: the available capabilities, which let the compiler
// drop unused hooks, whether memory accesses are wanted, and the packages of the standard library.
func (g *generator) patchedSource(libraryRoots []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package runtime\n\nconst (\n\tantichainMemory = %v\n", g.memory)
	for _, c := range []*capability{&goroutines, &halting, &steering, &lingering} {
		fmt.Fprintf(&b, "\t%s = %v\n", c.hasFlag(), g.without[c.name] == nil)
	}
	state := "&gp.antichain"
	if g.without[goroutines.name] != nil {
		state = "nil"
	}
	fmt.Fprintf(&b, ")\n\n//go:nosplit\nfunc antichainState(gp *g) *antichainG { return %s }\n", state)
	fmt.Fprintf(&b, "\nvar antichainLibraryRoots = %#v\n", libraryRoots)
	return b.String()
}

// source returns a file of the standard library.
func (g *generator) source(name string) (*sourceFile, error) {
	if f := g.sources[name]; f != nil {
		return f, nil
	}
	text, err := g.text(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &MismatchError{fmt.Errorf("there is no file %s", name)}
	}
	if err != nil {
		return nil, err
	}
	all, err := scan(text)
	if err != nil {
		return nil, &MismatchError{fmt.Errorf("%s: %w", name, err)}
	}
	f := &sourceFile{text, all}
	g.sources[name] = f
	return f, nil
}

// hooks adds the hooks to package runtime.
func (g *generator) hooks() error {
	entries, err := hooks.Sources.ReadDir(".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		b, err := hooks.Sources.ReadFile(e.Name())
		if err != nil {
			return err
		}
		src := g.forRelease(string(b))
		if !strings.HasPrefix(src, hooks.Constraint) {
			return fmt.Errorf("hook source %s does not begin with %q", e.Name(), hooks.Constraint)
		}
		g.files["runtime/"+e.Name()] = strings.TrimPrefix(src, hooks.Constraint)
	}
	for name, text := range strategy.Sources {
		g.files["runtime/antichain_"+name] = strings.Replace(text, "package strategy", "package runtime", 1)
	}
	g.files["runtime/antichain_layout.go"], err = ring.HookConstants("runtime", "antichain")
	return err
}

// hookVariants are the differences of the hooks for older releases.
var hookVariants = []struct {
	until    int
	old, new string
}{
	{25, `"internal/runtime/syscall/linux"`, `linux "internal/runtime/syscall"`},
	{26, `import "internal/runtime/maps"`, ""},
	{26, "maps.AlgInit()", "alginit()"},
}

// forRelease adapts a source of the hooks to the release.
func (g *generator) forRelease(src string) string {
	for _, v := range hookVariants {
		if isFor(g.release.Minor, 0, v.until) {
			src = strings.ReplaceAll(src, v.old, v.new)
		}
	}
	return src
}

// raceExtra are the declarations that the patches of package sync need.
const raceExtra = `

// Functions below carry the object that the program knows and the operation on it.

//go:linkname AcquireOp
func AcquireOp(addr, object unsafe.Pointer, op uintptr)

//go:linkname ReleaseOp
func ReleaseOp(addr, object unsafe.Pointer, op uintptr)

//go:linkname ReleaseMergeOp
func ReleaseMergeOp(addr, object unsafe.Pointer, op uintptr)

// Put and Get are operations on a Pool with an object.
//
//go:linkname Put
func Put(x any, pool unsafe.Pointer)

//go:linkname Get
func Get(x any, pool unsafe.Pointer)

// AddCounter adds to the counter of a WaitGroup and returns the state of the WaitGroup.
//
//go:linkname AddCounter
func AddCounter(wg, state unsafe.Pointer, delta int) uint64

// WaitCounter returns the state of a WaitGroup for which the caller waits.
//
//go:linkname WaitCounter
func WaitCounter(wg, state unsafe.Pointer) uint64

//go:linkname BlockOp
func BlockOp(object unsafe.Pointer, op uintptr)

// TriedOp is called when a lock could not be had at once, with what Since was before.
//
//go:linkname TriedOp
func TriedOp(object unsafe.Pointer, op, since uintptr)

//go:linkname Since
func Since() uintptr

// Turn is called before an operation on an object.
//
//go:linkname Turn
func Turn(object unsafe.Pointer)

// TurnLock is Turn before the lock of an object whose state is at word.
//
//go:linkname TurnLock
func TurnLock(object, word unsafe.Pointer)

// Steered reports whether the schedule is steered.
//
//go:linkname Steered
func Steered() bool

// ReadsInput is called when standard input was read.
//
//go:linkname ReadsInput
func ReadsInput()

//go:linkname MisuseOp
func MisuseOp(object unsafe.Pointer, what uintptr)

//go:linkname Outside
func Outside(object unsafe.Pointer, left uintptr)

// Starts says that the next go statement of the caller is for f, which it calls.
//
//go:linkname Starts
func Starts(f func())

// BeginTest says which test the caller is in from now on.
//
//go:linkname BeginTest
func BeginTest(name string)

// Functions below synchronise on something that is no object in memory.

//go:linkname ReadStream
func ReadStream(key, id, what uintptr)

//go:linkname WriteStream
func WriteStream(key, id, what uintptr)

//go:linkname AcquireKey
func AcquireKey(key uintptr)

//go:linkname ReleaseMergeKey
func ReleaseMergeKey(key uintptr)
`

// enableRace turns internal/race on without the race detector.
func (g *generator) enableRace() error {
	f, err := g.source("internal/race/race.go")
	if err != nil {
		return err
	}
	const constraint = "//go:build race\n"
	if strings.Count(f.text, constraint) != 1 {
		return &MismatchError{errors.New("internal/race/race.go has another build constraint")}
	}
	g.files["internal/race/norace.go"] = strings.Replace(f.text, constraint, "", 1) + raceExtra
	layout, err := ring.HookConstants("race", "")
	layout += fmt.Sprintf("\nconst Memory = %v // accesses are reported\n", g.memory)
	g.files["internal/race/antichain_layout.go"] = layout
	return err
}
