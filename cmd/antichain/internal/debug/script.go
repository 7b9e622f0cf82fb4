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

// RunScript runs a dialogue with the commands in a file, and writes it to out. An unfinished search
// becomes an exit code, and stderr names it.
func RunScript(file string, out, stderr io.Writer, talk func(console.Console) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return InScript(event.Printable(file), stderr, talk(console.NewScript(f, out)))
}

// InScript adds the position in the script to the error of a dialogue. An unfinished search becomes
// an exit code, and stderr names it.
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
