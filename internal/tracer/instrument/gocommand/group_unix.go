//go:build unix

package gocommand

import (
	"os/exec"
	"syscall"
)

// interruptible gives a command a process group, which its context interrupts. Compilers that kept
// running would write into directories that the go command removes.
func interruptible(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}
