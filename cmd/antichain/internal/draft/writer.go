package draft

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/launch"
)

// Writer writes a specification of properties that hold in a run of a package.
type Writer struct {
	Streams terminal.Streams
	Run     func(args []string, s terminal.Streams) (code int) // runs antichain
	Dir     string                                             // of the package
	Output  string                                             // the file; "" for one in Dir
	// directory for built files; "" for the user's
	Cache string
	Args  []string // of the program

	EndAfter time.Duration // time after which the run is ended; 0 for never, or DefaultTime
}

// DefaultTime stands for a time that depends on the package: see Draft.time.
const DefaultTime time.Duration = -1

// Write writes the file, unless it exists.
func (w Writer) Write() error {
	dir, output := w.Dir, w.Output
	if output == "" {
		path, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		output = filepath.Join(dir, filepath.Base(path)+".tl")
	}
	if _, err := os.Lstat(output); err == nil {
		return fmt.Errorf("%s is there already: name another file with -o", output)
	}
	if err := atomicfile.Writable(output); err != nil {
		return err
	}
	d, err := New(dir)
	if err != nil {
		return err
	}
	report, err := w.tryOut(d)
	if err != nil {
		return err
	}
	kept, err := d.Keep(report)
	if err != nil {
		return err
	}
	text, err := d.Text()
	if err != nil {
		return err
	}
	if err := atomicfile.Write(output, []byte(text), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(w.Streams.Err, "antichain: %s has %s; to check it: antichain %s %s\n", output, held(kept), d.verb(),
		packageIn(dir))
	return nil
}

func held(n int) string {
	if n == 0 {
		return "no property yet, since none that the source suggests held in this run"
	}
	return fmt.Sprintf("%d of the properties that held in this run", n)
}

// packageIn names the package in a directory for go.
func packageIn(dir string) string {
	if filepath.IsAbs(dir) || strings.HasPrefix(dir, ".") {
		return dir
	}
	return "./" + filepath.ToSlash(dir)
}

// verb is the verb of antichain that runs the package.
func (d *Draft) verb() string {
	if d.IsProgram() {
		return "run"
	}
	return "test"
}

// limit is the flag that bounds the time of a run: one of antichain for a program, of go test for
// tests.
func (d *Draft) limit() string {
	if d.IsProgram() {
		return "--end-after"
	}
	return "-timeout"
}

// time bounds a run if nothing else is said. A program that goes on for so long is a server; tests
// may be many.
func (d *Draft) time() time.Duration {
	if d.IsProgram() {
		return 10 * time.Second
	}
	return time.Minute
}

// tryOut runs the package once and returns the report on the probe. It shows antichain's output
// only on failure.
func (w Writer) tryOut(d *Draft) ([]byte, error) {
	s := w.Streams
	dir, err := launch.NewDir()
	if err != nil {
		return nil, err
	}
	defer dir.Remove()
	temporary := dir.Path()
	probe, report := filepath.Join(temporary, "probe.tl"), filepath.Join(temporary, "report.json")
	if err := os.WriteFile(probe, []byte(d.Probe()), 0o600); err != nil {
		return nil, err
	}
	said, err := os.Create(filepath.Join(temporary, "said"))
	if err != nil {
		return nil, err
	}
	defer said.Close()
	endAfter := w.EndAfter
	if endAfter == DefaultTime {
		endAfter = d.time()
	}
	running := terminal.Working(s.Err, "running "+w.Dir)
	args := []string{d.verb(), "--spec", probe, "--builtin", "none", "--report", "json=" + report, d.limit(),
		endAfter.String(), packageIn(w.Dir)}
	if w.Cache != "" {
		args = slices.Insert(args, 1, "--cache-dir="+w.Cache)
	}
	code := w.Run(append(args, w.Args...), terminal.Streams{In: s.In, Out: s.Out, Err: said})
	running.Done()
	text, err := os.ReadFile(report)
	if err != nil || len(text) == 0 {
		if _, err := said.Seek(0, io.SeekStart); err == nil {
			_, _ = io.Copy(s.Err, said)
		}
		return nil, errors.New("the package could not be run, so nothing is known of it: see above (exit code " +
			fmt.Sprint(code) + ")")
	}
	return text, nil
}
