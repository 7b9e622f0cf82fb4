//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/goker/kernel"
)

const (
	besideCount = 30              // kernels
	besideMost  = 5 * time.Second // until a bug is to be reported
)

// besideRun is what antichain said of a program beside a busy server.
type besideRun struct {
	after time.Duration // from its beginning to the report, 0 if there was none
	found string        // the first finding of that
	ended bool          // it has waited for ever in the end
}

// hangsBeside lets bugs that make goroutines wait for ever, and their fixed twins, happen beside a
// busy server.
func (b *bench) hangsBeside(flags *selection) error {
	names, err := b.writeBeside(flags.pattern)
	if err != nil {
		return err
	}
	t := table{"kernel", "seconds until it is reported", "waits in the end", "the twin is reported", "found"}.start()
	flush(t)
	happened, named, inTime, twins := 0, 0, 0, 0
	for _, name := range names {
		bug, err := b.runBeside(name, "bug")
		if err != nil {
			return err
		}
		twin, err := b.runBeside(name, "fixed")
		if err != nil {
			return err
		}
		after, twinAfter := "-", "no"
		if bug.after > 0 {
			after = fmt.Sprintf("%.1f", bug.after.Seconds())
			named++
		}
		if bug.after > 0 && bug.after <= besideMost {
			inTime++
		}
		if bug.after > 0 || bug.ended {
			happened++
		}
		if twin.after > 0 {
			twins++
			twinAfter = twin.found
		}
		t.add(name, after, yesNo(bug.after > 0 || bug.ended), twinAfter, bug.found)
		flush(t)
	}
	fmt.Printf("\n%d of %d happened; reported while the server ran: %d, within %v: %d; twins reported: %d\n\n",
		happened, len(names), named, besideMost, inTime, twins)
	return nil
}

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// writeBeside writes a module with the programs, and returns the names of the kernels.
func (b *bench) writeBeside(pattern *regexp.Regexp) ([]string, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	kernels, err := kernel.Load(kernel.Dir(strings.TrimSpace(string(goroot))))
	if err != nil {
		return nil, err
	}
	load, err := os.ReadFile(filepath.Join(b.module(), "testdata/hangs/load/load.go"))
	if err != nil {
		return nil, err
	}
	err = errors.Join(b.writeProgram("go.mod", []byte("module beside\n\ngo 1.26\n")),
		b.writeProgram("load/load.go", load))
	var names []string
	for _, k := range kernels {
		twin, missing := os.ReadFile(filepath.Join(b.module(), "goker/testdata/fixed", k.File()+".go"))
		if missing != nil || len(names) == besideCount {
			continue
		}
		names = append(names, k.Name)
		err = errors.Join(err, b.writeKernel(k, twin))
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !pattern.MatchString(name) })
	if err == nil && len(names) == 0 {
		err = errNoHangs
	}
	return names, err
}

// besideMain has the function main of a program. Nothing else is called as its other one is.
const besideMain = `package main

import "beside/load"

func main() { load.Beside(%s) }
`

// writeKernel writes a kernel beside the server, and its twin.
func (b *bench) writeKernel(k *kernel.Kernel, twin []byte) error {
	single, err := k.Single()
	const twinMain = "mainOfTwin"
	twin = bytes.Replace(twin, []byte("\nfunc main() {"), []byte("\nfunc "+twinMain+"() {"), 1)
	for dir, program := range map[string]struct {
		source []byte
		main   string
	}{"bug": {single, k.Entry}, "fixed": {twin, twinMain}} {
		err = errors.Join(err,
			b.writeProgram(filepath.Join(dir, k.Name, strings.ToLower(k.Name)+".go"), program.source),
			b.writeProgram(filepath.Join(dir, k.Name, "main.go"), fmt.Appendf(nil, besideMain, program.main)))
	}
	return err
}

// writeProgram writes a file of the module.
func (b *bench) writeProgram(name string, text []byte) error {
	path := filepath.Join(b.path("beside"), name)
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, text, 0o666))
}

// runBeside runs a program beside the server.
func (b *bench) runBeside(name, dir string) (*besideRun, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.executable(), "run", "./"+filepath.Join(dir, name))
	cmd.Dir = b.path("beside")
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = in, in
	err = cmd.Start()
	in.Close()
	if err != nil {
		return nil, err
	}
	r := readBeside(bufio.NewScanner(out), strings.ToLower(name)+".go:", time.Now)
	err = cmd.Wait()
	if exit := new(exec.ExitError); r == nil || err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("%s %s did not begin: %w", dir, name, err)
	}
	return r, nil
}

// observed is the first line of a whole report on goroutines that wait for ever.
var observed = regexp.MustCompile(`^(stuck|deadlock): violated \(observed\)$`)

// readBeside reads what is said of a program in a file of that name, nil if it did not begin.
func readBeside(lines *bufio.Scanner, file string, now func() time.Time) (r *besideRun) {
	var begun time.Time
	inside, whole := false, false
	for lines.Scan() {
		line := lines.Text()
		isOf := strings.HasPrefix(line, "    ") && strings.Contains(line, file)
		switch {
		case line == "load: begins":
			r, begun = new(besideRun), now()
		case r == nil:
		case strings.HasPrefix(line, hangsAre):
			inside = true
		case observed.MatchString(line):
			whole = true
		case whole:
			r.ended, whole = r.ended || isOf, false
		case !strings.HasPrefix(line, "    "):
			inside = false
		case inside && isOf && hangFinding.MatchString(line) && r.after == 0:
			r.after, r.found = now().Sub(begun), strings.TrimSpace(line)
		}
	}
	return r
}
