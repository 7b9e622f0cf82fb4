package exit

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// StatusOf returns the exit code of a process, 128+n if signal n ended it.
func StatusOf(s *os.ProcessState) int {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}

// CodeOf returns the exit code of a command that has run, and ended with this error.
func CodeOf(err error) (int, error) {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, err
	}
	return StatusOf(exit.ProcessState), nil
}
