//go:build linux

package launch

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// openTerminal makes a pseudo terminal.
func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	return master, slave
}

// On a terminal the program gets an interrupt from the keyboard once, not a second
// time from us; what is sent to us alone is passed on.
func TestTerminal(t *testing.T) {
	private(t)
	master, slave := openTerminal(t)
	out, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command(self())
	cmd.Env = append(os.Environ(), helperEnv+"=terminal")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, out, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	wait := func(text string) {
		for start := time.Now(); ; time.Sleep(time.Millisecond) {
			got, err := os.ReadFile(out.Name())
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(got), text) {
				return
			}
			if time.Since(start) > time.Minute {
				t.Fatalf("no %q in %q", text, got)
			}
		}
	}
	wait("ready")
	if _, err := master.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	wait("<interrupt>")
	time.Sleep(100 * time.Millisecond) // for a second one, if there is
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(out.Name()); string(got) != "ready<interrupt><terminated>" {
		t.Errorf("the program got %q", got)
	}
}
