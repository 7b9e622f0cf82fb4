//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/antichain-go/antichain/internal/workload"
	"github.com/antichain-go/antichain/tracer/event"
)

// endless prints how much memory antichain monitor takes while it checks three properties on a long
// run, a boolean one, one with before and one with next, and draws it; and how much for the boolean
// one if a task waits all the time.
func endless(args []string) error {
	flags := flag.NewFlagSet("endless", flag.ContinueOnError)
	events := flags.Int("events", 100_000_000, "length of the run")
	tasks := flags.Int("tasks", 64, "tasks at a time; they come and go")
	pictures := flags.String("pictures", "", "`directory` for the picture; none if it is not given")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *events < 1000 || *tasks < 2 || flags.NArg() > 0 {
		return errors.New("-events must be at least 1000, -tasks at least 2, and no arguments follow the flags")
	}
	dir, err := os.MkdirTemp("", "antichain-measure-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "antichain")
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/antichain").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	run := workload.Shifts{Workers: *tasks, Seed: 1}
	fmt.Printf("antichain monitor, %d workers that come and go. Properties:\n\n", *tasks)
	m, err := monitorShifts(binary, run, *events, workload.ShiftFormulas)
	if err != nil {
		return err
	}
	if *pictures != "" {
		if err := os.WriteFile(filepath.Join(*pictures, "endless-memory.svg"), []byte(m.plot.svg()), 0o666); err != nil {
			return err
		}
	}
	run.Idle = true
	fmt.Printf("\nThe same beside a task that waits all the time and hears of nothing. Property:\n\n")
	_, err = monitorShifts(binary, run, *events, workload.ShiftFormulas[:1])
	return err
}

// monitorShifts prints what it takes to monitor a run.
func monitorShifts(binary string, run workload.Shifts, events int, formulas []string) (*endlessRun, error) {
	command := []string{"monitor"}
	for _, f := range formulas {
		command = append(command, "-e", f)
		fmt.Printf("    %s\n", f)
	}
	fmt.Println()
	m := &endlessRun{cmd: exec.Command(binary, append(command, "-")...), table: endlessTable.start()}
	return m, m.run(run, events)
}

var endlessTable = table{"events", "MiB", "events/s"}

// endlessRun is a monitor while it is given a run.
type endlessRun struct {
	cmd   *exec.Cmd
	table *tableText
	plot  plot
	most  float64
}

// run looks at the memory twenty times, and for the picture each time when the number of events has
// doubled.
func (m *endlessRun) run(s workload.Shifts, events int) error {
	in, err := m.cmd.StdinPipe()
	if err != nil {
		return err
	}
	var said bytes.Buffer
	m.cmd.Stdout, m.cmd.Stderr = &said, &said
	if err := m.cmd.Start(); err != nil {
		return err
	}
	err = m.feed(in, s, events)
	err = errors.Join(err, in.Close())
	if err := errors.Join(err, m.cmd.Wait()); err != nil {
		return fmt.Errorf("antichain monitor: %w\n%s", err, said.Bytes())
	}
	flush(m.table)
	fmt.Printf("\nThe most at any time: %.0f MiB.\n", m.most)
	return nil
}

func (m *endlessRun) feed(in io.Writer, s workload.Shifts, events int) error {
	pipe := bufio.NewWriterSize(in, 1<<16)
	w := event.NewBinaryWriter(pipe, s.Header())
	m.plot = plot{x: "events", y: "MiB", curves: []curve{{name: "memory of antichain monitor"}}}
	n, doubling, begin := 0, max(events>>8, 1), time.Now()
	err := s.Each(events, func(e *event.Event) error {
		n++
		if n == doubling {
			m.plot.at = append(m.plot.at, n)
			m.plot.curves[0].values = append(m.plot.curves[0].values, m.memory("VmRSS:"))
			doubling *= 2
		}
		if n%max(events/20, 1) == 0 {
			m.table.add(fmt.Sprint(n), fmt.Sprintf("%.0f", m.memory("VmRSS:")), fmt.Sprintf("%.0f", float64(n)/time.Since(begin).Seconds()))
			flush(m.table)
		}
		return w.Write(e)
	})
	m.most = m.memory("VmHWM:")
	return errors.Join(err, w.Close(), pipe.Flush())
}

// memory returns what the kernel says about the memory of the monitor, in MiB.
func (m *endlessRun) memory(key string) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	return statusMiB(text, key)
}
