package specfile

import (
	"os"
	"path/filepath"
)

// SourceDirs returns where the lines of the traced program are looked for: here, beside the
// specifications, and where the modules of these begin, since positions are relative to that.
func SourceDirs(specs []string) []string {
	dirs := []string{"."}
	for _, f := range specs {
		dirs = append(dirs, filepath.Dir(f))
	}
	for _, dir := range dirs {
		if root, ok := moduleRoot(dir); ok {
			dirs = append(dirs, root)
		}
	}
	return dirs
}

// moduleRoot finds the directory above dir, or dir itself, that holds a go.mod.
func moduleRoot(dir string) (string, bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
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
