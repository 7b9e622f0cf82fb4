package report

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Source finds lines of the traced program's source in these directories.
type Source struct {
	Dirs []string
}

// maxSource is the largest source file that is read.
const maxSource = 4 << 20

// Line returns the line that a position "file.go:line" names, if that can be read. Positions
// come from the trace, so only plain files below the directories are looked at.
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

// File returns the file that a position names, and the number of the line.
func (s Source) File(at string) (content []byte, line int, ok bool) {
	f, line, ok := s.open(at)
	if !ok {
		return nil, 0, false
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxSource))
	return content, line, err == nil
}

// open opens the file that a position names, and returns the number of the line.
func (s Source) open(at string) (f *os.File, line int, ok bool) {
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		return nil, 0, false
	}
	name := at[:i]
	line, err := strconv.Atoi(at[i+1:])
	if err != nil || line < 1 || !filepath.IsLocal(name) || filepath.Ext(name) != ".go" {
		return nil, 0, false
	}
	for _, dir := range s.Dirs {
		if f, ok := openBelow(dir, name); ok {
			return f, line, true
		}
	}
	return nil, 0, false
}

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
