package report

import (
	"bufio"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
)

// Source finds lines of the traced program's source, and shows positions as seen from a directory.
type Source struct {
	// Dirs are directories to which positions are relative.
	Dirs []string

	// Modules maps the module names with which positions begin, if paths are trimmed, to
	// directories. Otherwise a position begins with the name of the directory, unless that is also
	// in Dirs.
	Modules map[string]string

	// Cache is the module cache: positions in it are relative to it, and are shown so.
	Cache string

	// From is the directory from which positions are shown, an absolute path; "" leaves them
	// unchanged.
	From string
}

// maxSource bounds the size of a source file.
const maxSource = 4 << 20

// Line returns the line at a position "file.go:line"; false if it cannot be read. Positions are
// untrusted, because the trace has them, so only plain files below the directories are read.
func (s Source) Line(at string) (string, bool) {
	f, number, ok := s.open(at)
	if !ok {
		return "", false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<16)
	for n := 1; lines.Scan(); n++ {
		if n == number {
			return lines.Text(), true
		}
	}
	return "", false
}

// File returns the file of a position, and the number of the line.
func (s Source) File(at string) (content []byte, line int, ok bool) {
	f, line, ok := s.open(at)
	if !ok {
		return nil, 0, false
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxSource))
	return content, line, err == nil
}

// open opens the file of a position, and returns the number of the line.
func (s Source) open(at string) (f *os.File, line int, ok bool) {
	name, line, ok := cutPosition(at)
	if !ok {
		return nil, 0, false
	}
	if _, f, ok := s.find(name); ok {
		return f, line, true
	}
	if s.Cache == "" {
		return nil, 0, false
	}
	f, ok = openBelow(s.Cache, name)
	return f, line, ok
}

// Beside returns the Go files in the directory of a position, named as in positions.
func (s Source) Beside(at string) (names []string) {
	name, _, ok := cutPosition(at)
	if !ok {
		return nil
	}
	dir := path.Dir(filepath.ToSlash(name))
	for _, found := range s.directories(dir) {
		for _, file := range found {
			if path.Ext(file) == ".go" {
				names = append(names, path.Join(dir, file))
			}
		}
		if len(names) > 0 {
			break
		}
	}
	slices.Sort(names)
	return names
}

// directories lists the contents of the directories that dir may stand for in positions.
func (s Source) directories(dir string) (all [][]string) {
	list := func(root, dir string) {
		f, err := os.OpenInRoot(root, dir)
		if err != nil {
			return
		}
		defer f.Close()
		if names, err := f.Readdirnames(-1); err == nil {
			all = append(all, names)
		}
	}
	for _, root := range s.Dirs {
		list(root, dir)
	}
	for module, root := range s.Modules {
		for _, prefix := range []string{filepath.Base(root), module} {
			if inside, ok := cutDir(dir+"/.", prefix); ok {
				list(root, path.Clean(inside))
			}
		}
	}
	return all
}

// cutPosition splits a position "file.go:line"; false if it is none.
func cutPosition(at string) (name string, line int, ok bool) {
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		return "", 0, false
	}
	name = at[:i]
	line, err := strconv.Atoi(at[i+1:])
	return name, line, err == nil && line >= 1 && filepath.IsLocal(name) && filepath.Ext(name) == ".go"
}

// find finds the file of a position in the directories and modules, and returns its path.
func (s Source) find(name string) (file string, f *os.File, ok bool) {
	for _, dir := range s.Dirs {
		if f, ok := openBelow(dir, name); ok {
			return filepath.Join(dir, name), f, true
		}
	}
	for module, dir := range s.Modules {
		inside, ok := cutDir(name, filepath.Base(dir))
		if !ok {
			inside, ok = cutDir(name, module)
		}
		if !ok {
			continue
		}
		other, ok := openBelow(dir, inside)
		switch {
		case ok && file == filepath.Join(dir, inside): // nested modules
			other.Close()
		case ok && f != nil: // modules in directories of the same name
			other.Close()
			f.Close()
			return "", nil, false
		case ok:
			file, f = filepath.Join(dir, inside), other
		}
	}
	return file, f, f != nil
}

// cutDir returns the rest of a file name after a directory.
func cutDir(name, dir string) (inside string, ok bool) {
	return strings.CutPrefix(filepath.ToSlash(name), dir+"/")
}

// Path returns a position as seen from From, if the file is there.
func (s Source) Path(at string) string {
	_, line, ok := cutPosition(at)
	if s.From == "" || !ok {
		return at
	}
	file := s.Find(at)
	if file == "" {
		return at
	}
	if rel, err := filepath.Rel(s.From, file); err == nil && len(rel) < len(file) {
		file = rel
	}
	return filepath.ToSlash(file) + ":" + strconv.Itoa(line)
}

// Find returns the absolute path of a position's file; "" if it is not found.
func (s Source) Find(at string) string {
	name, _, ok := cutPosition(at)
	if !ok {
		return ""
	}
	file, f, ok := s.find(name)
	if !ok {
		return ""
	}
	f.Close()
	if file, err := filepath.Abs(file); err == nil {
		return file
	}
	return ""
}

// place is Path for a report.
func (s Source) place(at string) string { return event.Printable(s.Path(at)) }

// position matches a possible position in a sentence.
var position = regexp.MustCompile(`[^\s"(]+\.go:[0-9]+`)

// sentence replaces the positions in a sentence by those of Path.
func (s Source) sentence(text string) string { return position.ReplaceAllStringFunc(text, s.Path) }

// openBelow opens a plain file below dir; no symbolic link leads out of dir.
func openBelow(dir, name string) (*os.File, bool) {
	f, err := os.OpenInRoot(dir, name)
	if err != nil {
		return nil, false
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
		f.Close()
		return nil, false
	}
	return f, true
}
