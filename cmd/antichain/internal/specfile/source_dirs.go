package specfile

import (
	"path/filepath"

	"github.com/antichain-go/antichain/tracer/ingest/process/exe"
)

// SourceDirs returns where the lines of the traced program are looked for: here, beside the
// specifications, and where the modules of these begin, since positions are relative to that.
func SourceDirs(specs []string) []string {
	dirs := []string{"."}
	for _, f := range specs {
		dirs = append(dirs, filepath.Dir(f))
	}
	for _, dir := range dirs {
		dir, err := filepath.Abs(dir)
		if err != nil {
			continue
		}
		if root, ok := exe.ModuleRoot(dir); ok {
			dirs = append(dirs, root)
		}
	}
	return dirs
}
