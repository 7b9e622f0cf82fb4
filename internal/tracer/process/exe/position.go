package exe

import (
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// Position returns where in the user's code a record was made: the innermost call outside the
// standard library. If all are inside, it is the outermost.
//
// library says that it was made on behalf of the standard library: the innermost call, apart from
// those inside package sync/atomic, is there.
func (f *File) Position(pcs [ring.PCs]uint64) (last string, library bool) {
	for c := range f.frames(pcs[:]) {
		last = f.position(c)
		isStd := f.isStd(c.file)
		library = library || isStd && !strings.HasPrefix(last, "sync/atomic/")
		if !isStd {
			return last, library
		}
	}
	return last, library
}

// Location returns where in the user's code return addresses lead to, innermost first, as Position
// does. It has all calls but those by which the runtime and package sync do their work. The
// operation is internal to the standard library if the innermost of these is.
func (f *File) Location(pcs []uint64) op.Location {
	return op.LocationOf(f.Calls(pcs))
}

// Calls yields the calls that return addresses lead to, innermost first.
func (f *File) Calls(pcs []uint64) iter.Seq[op.Call] {
	return func(yield func(op.Call) bool) {
		for c := range f.frames(pcs) {
			if !yield(op.Call{Function: c.function, At: f.position(c), Std: f.isStd(c.file)}) {
				return
			}
		}
	}
}

// frames yields the calls that return addresses lead to, innermost first.
func (f *File) frames(pcs []uint64) func(yield func(frame) bool) {
	return func(yield func(frame) bool) {
		for _, pc := range pcs {
			if pc == 0 {
				continue
			}
			at := pc - f.offset - 1 // in the call instruction, not after it
			fn, ok := f.table.find(at, f.start)
			if !ok {
				continue
			}
			for c := range fn.frames(at) {
				if c.file != "" && c.file != generated && !yield(c) {
					return
				}
			}
		}
	}
}

// position returns the position of a call, "file.go:line".
func (f *File) position(c frame) string { return f.trimFile(c.file) + ":" + strconv.Itoa(c.line) }

// trimFile shortens the name of a source file to its most informative part.
func (f *File) trimFile(file string) string {
	if f.goroot != "" && strings.HasPrefix(file, f.goroot) {
		return strings.TrimPrefix(file, f.goroot)
	}
	if f.opt.Root != "" {
		if rel, err := filepath.Rel(f.opt.Root, file); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	const cache = "/pkg/mod/"
	if i := strings.LastIndex(file, cache); i >= 0 {
		return file[i+len(cache):]
	}
	if !filepath.IsAbs(file) {
		return file
	}
	if root, ok := ModuleRoot(filepath.Dir(file)); ok {
		if rel, err := filepath.Rel(filepath.Dir(root), file); err == nil {
			return rel
		}
	}
	return filepath.Base(file)
}

// ModuleRoot returns the nearest directory above dir, an absolute path, or dir itself, that holds a
// go.mod.
func ModuleRoot(dir string) (string, bool) {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}
