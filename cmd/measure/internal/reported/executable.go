//go:build unix

package reported

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/antichain-go/antichain/cmd/measure/internal/checkout"
)

// Executable returns the absolute path of an executable of antichain: the named file or, if the
// name is empty, one that it builds into dir.
func Executable(ctx context.Context, named, dir string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	root, err := checkout.Root(ctx)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "antichain")
	build := exec.CommandContext(ctx, "go", "build", "-o", path, "./cmd/antichain")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}
