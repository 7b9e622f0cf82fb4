//go:build unix

package reported

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// Executable returns the absolute path of an executable of antichain: the file that is named or, if the name is empty, one that is built into dir.
func Executable(ctx context.Context, named, dir string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	path := filepath.Join(dir, "antichain")
	out, err := exec.CommandContext(ctx, "go", "build", "-o", path, "github.com/antichain-go/antichain/cmd/antichain").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}
