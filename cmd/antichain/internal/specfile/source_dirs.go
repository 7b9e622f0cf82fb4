package specfile

import (
	"path/filepath"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/process/exe"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// SourceFor returns where to look for the source of a traced program if the trace does not say it:
// here, beside the specifications, and in the roots of their modules, to which positions are
// relative.
func SourceFor(specs []string) report.Source {
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
	return report.Source{Dirs: dirs, From: terminal.Here()}
}
