//go:build linux

package launch

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

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

// A thread that has a signal to handle is seen, even if it does not run.
func TestIsHandling(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before unix.Sigset_t
	if err := unix.PthreadSigmask(unix.SIG_BLOCK, &unix.Sigset_t{Val: [16]uint64{terminalSet}}, &before); err != nil {
		t.Fatal(err)
	}
	if !isHandling() {
		t.Error("a thread that blocks signals is not seen")
	}
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil); err != nil {
		t.Fatal(err)
	}
	for isHandling() { // other threads block signals while they start
		time.Sleep(time.Millisecond)
	}
}
