package reports

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// place is a line of a file.
type place struct {
	file string // as the account has it, with slashes
	line int    // from 1; 0 if only the file is known
}

// placeOf takes a position "file.go:12" apart; false if it names no file.
func placeOf(at string) (place, bool) {
	if at == "" {
		return place{}, false
	}
	if i := strings.LastIndexByte(at, ':'); i > 0 {
		if line, err := strconv.Atoi(at[i+1:]); err == nil && line > 0 {
			return place{at[:i], line}, true
		}
	}
	return place{file: at}, true
}

// base says where relative positions are: dir is where the command runs, root the checkout that it
// belongs to, or dir. Both are absolute and have slashes.
type base struct{ dir, root string }

// newBase returns the base of the working directory. A checkout is the nearest directory above with
// .git in it.
func newBase() (base, error) {
	dir, err := os.Getwd()
	if err != nil {
		return base{}, err
	}
	root := dir
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			root = d
			break
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	return base{filepath.ToSlash(dir), filepath.ToSlash(root)}, nil
}

// find returns a file relative to the root; or its absolute path, and false, if it is not below the
// root.
func (b base) find(file string) (name string, below bool) {
	file = filepath.ToSlash(file)
	if !isAbsolute(file) {
		file = path.Join(b.dir, file)
	}
	file = path.Clean(file)
	if name, ok := strings.CutPrefix(file, strings.TrimSuffix(b.root, "/")+"/"); ok {
		return name, true
	}
	return file, false
}

// isAbsolute reports whether a path with slashes is one from a root, or from a drive.
func isAbsolute(file string) bool {
	return path.IsAbs(file) || len(file) > 2 && file[1] == ':' && file[2] == '/'
}

// fileURI returns the URI of an absolute path. It ends in a slash if the path is a directory.
func fileURI(file string) string {
	if !strings.HasPrefix(file, "/") {
		file = "/" + file // a drive
	}
	return (&url.URL{Scheme: "file", Path: file}).String()
}

// relativeURI is the relative reference to a file.
func relativeURI(file string) string { return (&url.URL{Path: file}).String() }
