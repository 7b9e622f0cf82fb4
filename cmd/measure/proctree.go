//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// usage is what processes needed.
type usage struct {
	cpu       float64 // seconds
	memory    float64 // most MiB of one test binary
	antichain float64 // most MiB of one antichain that reads what a test binary records
}

// treeWatch looks at the descendants of a process that are test binaries, or antichain beside one, again
// and again until it is stopped. Compilers and linkers do not count, so the kernel's account of the children
// of go test is of no use.
type treeWatch struct {
	root int
	stop chan struct{}
	done chan usage
	cpu  map[int]float64 // by process, when it was last seen
	usage
}

func watchTree(root int) *treeWatch {
	w := &treeWatch{root: root, stop: make(chan struct{}), done: make(chan usage, 1), cpu: map[int]float64{}}
	go w.run()
	return w
}

func (w *treeWatch) end() usage {
	close(w.stop)
	return <-w.done
}

func (w *treeWatch) run() {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		w.look()
		select {
		case <-w.stop:
			for _, seconds := range w.cpu {
				w.usage.cpu += seconds
			}
			w.done <- w.usage
			return
		case <-tick.C:
		}
	}
}

// procStat is a line of /proc/PID/stat.
type procStat struct {
	parent int
	cpu    float64
}

func (w *treeWatch) look() {
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return
	}
	all := map[int]procStat{}
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(name))
		if err != nil {
			continue
		}
		if p, ok := readProcess(pid); ok {
			all[pid] = p
		}
	}
	for pid, p := range all {
		if !w.below(all, pid) {
			continue
		}
		exe, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)) // "" if it has just ended
		most := &w.memory
		switch cmdline, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); {
		case strings.HasSuffix(exe, ".test"):
		case bytes.Contains(cmdline, []byte("\x00exec-test\x00")):
			most = &w.antichain
		default:
			continue
		}
		w.cpu[pid] = p.cpu
		if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
			*most = max(*most, peakOf(status))
		}
	}
}

// below reports whether a process descends from the root.
func (w *treeWatch) below(all map[int]procStat, pid int) bool {
	for range len(all) { // a snapshot that was not taken at once may have cycles
		p, ok := all[pid]
		if !ok {
			return false
		}
		if pid = p.parent; pid == w.root {
			return true
		}
	}
	return false
}

const ticksPerSecond = 100 // USER_HZ, the same on all systems that matter here

func readProcess(pid int) (procStat, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return procStat{}, false
	}
	_, rest, ok := bytes.Cut(stat, []byte(") ")) // the name before it may have spaces
	if fields := strings.Fields(string(rest)); ok && len(fields) > 12 {
		parent, err1 := strconv.Atoi(fields[1])
		user, err2 := strconv.Atoi(fields[11])
		system, err3 := strconv.Atoi(fields[12])
		if err1 == nil && err2 == nil && err3 == nil {
			return procStat{parent, float64(user+system) / ticksPerSecond}, true
		}
	}
	return procStat{}, false
}
