// Package checkout finds the repository, whose programs and examples are measured.
package checkout

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Module is the path of the module at the root of the repository.
const Module = "github.com/antichain-go/antichain"

// Root returns the root of the repository that the working directory is in. The nested module
// knows where it is, too: it replaces the root's module by that directory.
func Root(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", Module).Output()
	if err != nil {
		return "", fmt.Errorf("not in the repository: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// Enter makes the root the working directory, whichever go run -C has chosen: files in flags are
// relative to it.
func Enter(ctx context.Context) error {
	root, err := Root(ctx)
	if err != nil {
		return err
	}
	return os.Chdir(root)
}
