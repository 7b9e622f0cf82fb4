//go:build linux

package launch

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/antichain-go/antichain/internal/ptytest"
)

// On a terminal the program gets an interrupt from the keyboard once, not a second
// time from us; what is sent to us alone is passed on.
func TestTerminal(t *testing.T) {
	private(t)
	cmd := exec.Command(self())
	cmd.Env = append(os.Environ(), helperEnv+"=terminal")
	screen := ptytest.Start(t, cmd)
	shown := screen.Await("ready")
	screen.Type("\x03")
	shown += screen.Await("<interrupt>")
	// A second one, passed on by us, would be there before this: signals are passed on in their
	// order.
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	shown += screen.Rest()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if shown != "ready^C<interrupt><terminated>" {
		t.Errorf("the terminal shows %q", shown)
	}
}
