//go:build unix

package testrun

import (
	"strings"
	"syscall"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
)

// TestTerminated ends what runs when this process is to end.
func TestTerminated(t *testing.T) {
	_, _, said, err := run(t, "terminated")
	if err != exit.Code(128+int(syscall.SIGTERM)) || !strings.Contains(said, "terminated, and the tests with it") {
		t.Errorf("%v, said %q", err, said)
	}
}
