package report

import (
	"bufio"
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
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		return "", false
	}
	name := at[:i]
	number, err := strconv.Atoi(at[i+1:])
	if err != nil || number < 1 || !filepath.IsLocal(name) || filepath.Ext(name) != ".go" {
		return "", false
	}
	for _, dir := range s.Dirs {
		if line, ok := lineOf(dir, name, number); ok {
			return line, true
		}
	}
	return "", false
}

// lineOf returns line number of a file below dir; no symbolic link leads out of dir.
func lineOf(dir, name string, number int) (string, bool) {
	f, err := os.OpenInRoot(dir, name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
		return "", false
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<16)
	for n := 1; lines.Scan(); n++ {
		if n == number {
			return lines.Text(), true
		}
	}
	return "", false
}
