//go:build unix

package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// starts prints how long it takes to run a program that ends at once: again, when nothing has
// changed, and with an empty build cache. What antichain does once with each toolchain, its
// self-test, comes before.
func starts(args []string) error {
	flags := selecting("start", "rows whose names match this `pattern`")
	executable := flags.String("antichain", "", "use the executable in this `file`; default one that is built")
	against := flags.String("against", "", "also the executable in this `file`")
	if err := flags.parse(args); err != nil {
		return err
	}
	b, err := newDir()
	if err != nil {
		return err
	}
	defer b.remove()
	if *executable == "" {
		if err := b.buildAntichain(); err != nil {
			return err
		}
	}
	all, err := b.startRows(cmp.Or(*executable, b.path("antichain")), *against)
	if err != nil {
		return err
	}
	t := table{"run", "seconds", "more than go run", "/ go run", "CPU seconds", "/ go run"}.start()
	flush(t)
	for _, rows := range all {
		if rows = selectedStarts(rows, flags); len(rows) == 0 {
			continue
		}
		if err := b.start(rows, *flags.count); err != nil {
			return err
		}
		for _, r := range rows {
			wall, cpu := median(r.seconds), median(r.cpu)
			than, thanCPU := median(rows[0].seconds), median(rows[0].cpu)
			t.add(r.name, fmt.Sprintf("%.3f", wall), fmt.Sprintf("%.3f", wall-than), ratio(wall, than), fmt.Sprintf("%.3f", cpu), ratio(cpu, thanCPU))
			flush(t)
		}
	}
	fmt.Printf("\nMedians of %d, interleaved.\n", *flags.count)
	return nil
}

// startRow is a command that runs the program.
type startRow struct {
	name         string
	words        []string
	cold         bool // its build cache is empty
	seconds, cpu []float64
}

// startRows returns the commands, in groups: the first of a group is what the others are compared
// with.
func (b *bench) startRows(antichain, other string) ([][]*startRow, error) {
	paths := []string{antichain}
	if other != "" {
		paths = append(paths, other)
	}
	warm := []*startRow{{name: "again, go run", words: []string{"go", "run", "."}}}
	cold := []*startRow{{name: "cold, go run -race", words: []string{"go", "run", "-race", "."}, cold: true}}
	for i, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		name := []string{"antichain run", "the other antichain run"}[i]
		warm = append(warm, &startRow{name: "again, " + name, words: []string{path, "run", "."}})
		cold = append(cold, &startRow{name: "cold, " + name, words: []string{path, "run", "."}, cold: true})
	}
	return [][]*startRow{warm, cold}, nil
}

// selectedStarts returns those of a group that are selected, and the first if there are any.
func selectedStarts(group []*startRow, flags *selection) []*startRow {
	rows := group[:1:1]
	for _, r := range group[1:] {
		if flags.pattern.MatchString(r.name) {
			rows = append(rows, r)
		}
	}
	if len(rows) == 1 && !flags.pattern.MatchString(group[0].name) {
		return nil
	}
	return rows
}

// start runs the commands of a group in turn, and once before without measuring it: that fills the
// caches, but for an empty one.
func (b *bench) start(rows []*startRow, count int) error {
	for round := range count + 1 {
		for i, r := range rows {
			if err := b.startOnce(r, fmt.Sprint(round, "-", i), round > 0); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
		}
	}
	return nil
}

// startOnce runs a command, if it is cold on a program that antichain has not seen.
func (b *bench) startOnce(r *startRow, name string, counts bool) error {
	dir := b.path("program")
	cmd := exec.Command(r.words[0], r.words[1:]...)
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false")
	if r.cold && counts {
		dir = b.path("program-" + strings.ReplaceAll(name, " ", ""))
		cache := b.path("cache")
		defer os.RemoveAll(cache)
		cmd.Env = append(cmd.Env, "GOCACHE="+cache)
	}
	if err := helloModule(dir); err != nil {
		return err
	}
	cmd.Dir = dir
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(begun).Seconds()
	if err != nil || !strings.Contains(string(out), "hello") {
		return fmt.Errorf("%w\n%s", err, out)
	}
	if counts {
		r.seconds = append(r.seconds, took)
		r.cpu = append(r.cpu, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	}
	return nil
}

// helloModule writes a program that ends at once.
func helloModule(dir string) error {
	return errors.Join(os.MkdirAll(dir, 0o755),
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/hello\n\ngo 1.25\n"), 0o644),
		os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n"), 0o644))
}
