package goroot

import (
	"bytes"
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

	hooks "github.com/antichain-go/antichain/tracer/agent/runtime"
	"github.com/antichain-go/antichain/tracer/ring"
)

// Options choose what Write writes. The zero value is the full overlay with a
// fallback.
type Options struct {
	// Minimal writes the two-file overlay even where the patches match.
	Minimal bool

	// Memory has the program tell its memory accesses too: those of packages that are compiled
	// with the flag InstrumentMemory, and of maps, slices and channels everywhere. The two-file
	// overlay does not.
	Memory bool
}

// Overlay is a set of replacements of files in GOROOT.
type Overlay struct {
	Replace map[string]string // file below GOROOT -> file that stands in for it; for go build -overlay
	Missing []string          // what is not recorded; empty for the full overlay
	Why     error             // why the overlay is not the full one, if that was asked for
	Hash    string            // of the contents of all files
}

// Write writes the overlay for the Go tree at goroot into dir. Files that are there
// with the same content stay untouched. If a patch does not match, the overlay is the
// two-file one and Missing says what that costs; an error means that there is no
// overlay at all.
func Write(dir, goroot string, opt Options) (*Overlay, error) {
	o := new(Overlay)
	files, err := generate(goroot, opt)
	var mismatch *MismatchError
	if errors.As(err, &mismatch) && !opt.Minimal {
		o.Why = err
		opt.Minimal = true
		files, err = generate(goroot, opt)
	}
	if err != nil {
		return nil, err
	}
	if opt.Minimal {
		o.Missing = slices.Clone(MissingMinimal)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	o.Replace = make(map[string]string, len(files))
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(files[name]), files[name])
		path := filepath.Join(dir, strings.ReplaceAll(name, "/", "__"))
		if err := writeChanged(path, []byte(files[name])); err != nil {
			return nil, err
		}
		o.Replace[filepath.Join(goroot, "src", filepath.FromSlash(name))] = path
	}
	o.Hash = hex.EncodeToString(sum.Sum(nil))
	return o, nil
}

// MismatchError says that the standard library is not the one that a patch was
// written for.
type MismatchError struct{ Err error }

func (e *MismatchError) Error() string { return e.Err.Error() }
func (e *MismatchError) Unwrap() error { return e.Err }

// generate returns the changed and new files by their name below GOROOT/src.
func generate(goroot string, opt Options) (map[string]string, error) {
	g := &generator{root: filepath.Join(goroot, "src"), files: make(map[string]string), memory: opt.Memory && !opt.Minimal}
	if err := g.hooks(); err != nil {
		return nil, err
	}
	if err := g.race(); err != nil {
		return nil, err
	}
	g.files["runtime/antichain_patched.go"] = patchedSource(opt.Minimal, g.memory)
	if !opt.Minimal {
		if err := g.patches(); err != nil {
			return nil, err
		}
	}
	// Go's cache takes an object of the standard library to be the same wherever that stands, but the
	// compiler writes full names of replaced files into it.
	for name := range g.files {
		g.files[name] += "\n// In place of a file below " + g.root + ".\n"
	}
	return g.files, nil
}

// patchedSource tells the hooks whether the patches are there, without which some of what the
// hooks do is never asked for, and whether memory accesses are wanted.
func patchedSource(minimal, memory bool) string {
	state := "&gp.antichain"
	if minimal {
		state = "nil"
	}
	return fmt.Sprintf(`package runtime

const (
	antichainPatched = %v
	antichainMemory  = %v
)

//go:nosplit
func antichainState(gp *g) *antichainG { return %s }
`, !minimal, memory, state)
}

type generator struct {
	root   string
	files  map[string]string // what has been changed so far
	memory bool              // accesses are to be told
}

// read returns a file as it stands: changed, or as in GOROOT.
func (g *generator) read(name string) (string, error) {
	if src, ok := g.files[name]; ok {
		return src, nil
	}
	b, err := os.ReadFile(filepath.Join(g.root, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", &MismatchError{err}
	}
	return string(b), err
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
		constraint := ""
		if e.Name() == "race0.go" {
			constraint = "//go:build !race\n" // beside race.go
		}
		src := string(b)
		if !strings.HasPrefix(src, hooks.Constraint) {
			return fmt.Errorf("hook source %s does not begin with %q", e.Name(), hooks.Constraint)
		}
		g.files["runtime/"+e.Name()] = constraint + strings.TrimPrefix(src, hooks.Constraint)
	}
	g.files["runtime/antichain_layout.go"], err = ring.HookConstants("runtime", "antichain")
	return err
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

// Turn is called before an operation.
//
//go:linkname Turn
func Turn()

// Steered reports whether the schedule is steered.
//
//go:linkname Steered
func Steered() bool

//go:linkname MisuseOp
func MisuseOp(object unsafe.Pointer, what uintptr)

//go:linkname Outside
func Outside(object unsafe.Pointer, left uintptr)

// Functions below synchronise on something that is no object in memory.

//go:linkname AcquireKey
func AcquireKey(key uintptr)

//go:linkname ReleaseMergeKey
func ReleaseMergeKey(key uintptr)
`

// race turns internal/race on without the race detector.
func (g *generator) race() error {
	src, err := g.read("internal/race/race.go")
	if err != nil {
		return err
	}
	const constraint = "//go:build race\n"
	if strings.Count(src, constraint) != 1 {
		return &MismatchError{errors.New("internal/race/race.go has another build constraint")}
	}
	g.files["internal/race/norace.go"] = strings.Replace(src, constraint, "//go:build !race\n", 1) + raceExtra
	layout, err := ring.HookConstants("race", "")
	layout += fmt.Sprintf("\nconst Memory = %v // accesses are to be told\n", g.memory)
	g.files["internal/race/antichain_layout.go"] = "//go:build !race\n\n" + layout
	return err
}

// patches makes the changes that the full overlay consists of.
func (g *generator) patches() error {
	for i := range disables {
		d := &disables[i]
		if err := g.change(d.file, d.apply); err != nil {
			return err
		}
	}
	for _, list := range patches {
		for i := range list {
			p := &list[i]
			if err := g.change(p.file, p.apply); err != nil {
				return err
			}
		}
	}
	maps.Copy(g.files, ioFiles)
	layout, err := ring.HookConstants("atomic", "antichain")
	if err != nil {
		return err
	}
	files, err := patchAtomics(g.read, layout)
	if err != nil {
		return &MismatchError{err}
	}
	maps.Copy(g.files, files)
	return nil
}

func (g *generator) change(name string, apply func(string) (string, error)) error {
	src, err := g.read(name)
	if err != nil {
		return err
	}
	changed, err := apply(src)
	if err != nil {
		return &MismatchError{err}
	}
	g.files[name] = changed
	return nil
}

// writeChanged writes a file unless it has that content.
func writeChanged(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	return os.WriteFile(path, content, 0o600)
}
