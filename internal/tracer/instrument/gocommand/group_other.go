//go:build !unix

package gocommand

import "os/exec"

// interruptible leaves the command as it is: programs are not traced on these systems.
func interruptible(*exec.Cmd) {}
