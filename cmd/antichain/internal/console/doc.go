// Package console is where a person and the program talk: a terminal with a line editor, and tables of commands.
//
// Like gdb and Delve it takes any beginning of a command that is a beginning of no other one, repeats
// some for an empty line, forgets the line at ctrl-C, and takes ctrl-D for a farewell.
package console

import (
	"errors"
	"io"
	"os/exec"
)

// Console is where a dialogue takes place: a *Terminal, or a *Script.
type Console interface {
	io.Writer

	// ReadLine returns a line that was typed. At ctrl-C it fails with ErrInterrupted, at ctrl-D
	// and the end of the input with io.EOF. complete returns the words that the last one of a
	// line may be the beginning of.
	ReadLine(prompt string, complete func(line string) []string) (string, error)

	// Run runs a program that takes the place of the dialogue until it ends.
	Run(cmd *exec.Cmd) error
}

// ErrInterrupted is the error of Console.ReadLine at ctrl-C.
var ErrInterrupted = errors.New("interrupted")
