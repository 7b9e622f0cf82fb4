package debug

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/antichain-go/antichain/cmd/antichain/internal/console"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/tracer/event"
)

// RunScript has a dialogue with the commands in a file, which it writes to out. Searches that were given up are an exit code, and
// stderr says which.
func RunScript(file string, out, stderr io.Writer, talk func(console.Console) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return InScript(event.Printable(file), stderr, talk(console.NewScript(f, out)))
}

// InScript returns the error of a dialogue with the place in the script of that name. A search that was given up is an exit code, and
// stderr says which.
func InScript(name string, stderr io.Writer, err error) error {
	var mistake *ScriptError
	if !errors.As(err, &mistake) {
		return err
	}
	err = fmt.Errorf("%s:%d: %w", name, mistake.Line, mistake.Err)
	if Unfinished(err) {
		fmt.Fprintln(stderr, "antichain:", err)
		return exit.Code(exit.Unknown)
	}
	return err
}
