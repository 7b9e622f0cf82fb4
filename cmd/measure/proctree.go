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

// treeWatch looks at the descendants of a process that are test binaries, or antichain beside one,
// again and again until it is stopped. Compilers and linkers do not count, so the kernel's account
// of the children of go test is of no use.
type treeWatch struct {
	root int
	stop chan struct{}
	done chan usage
	seen map[int]procStat // test binaries and antichain, when they were last seen
	usage
}

func watchTree(root int) *treeWatch {
	w := &treeWatch{root: root, stop: make(chan struct{}), done: make(chan usage, 1), seen: map[int]procStat{}}
	go w.run()
	return w
}

func (w *treeWatch) end() usage {
	close(w.stop)
	return <-w.done
}

// What a process did after it was last looked at is known only if its parent is seen once more.
const lookEvery = 20 * time.Millisecond

func (w *treeWatch) run() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		for _, child := range childrenOf(w.root) {
			w.look(child, w.root)
		}
		select {
		case <-w.stop:
			w.usage.cpu = w.seconds()
			w.done <- w.usage
			return
		case <-tick.C:
		}
	}
}

// procStat is what /proc/PID/stat says.
type procStat struct {
	parent int     // among the processes that are looked at
	cpu    float64 // seconds
	waited float64 // seconds of the children that have ended
}

// look looks at a process and its descendants. Its parent, or whoever stands in for it, is known.
func (w *treeWatch) look(pid, parent int) {
	exe, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)) // "" if it has just ended
	cmdline, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	isTest, isAntichain := strings.HasSuffix(exe, ".test"), bytes.Contains(cmdline, []byte("\x00exec-test\x00"))
	if isTest || isAntichain {
		if p, ok := readProcess(pid); ok {
			p.parent = parent
			w.seen[pid] = p
		}
		most := &w.memory
		if isAntichain && !isTest {
			most = &w.antichain
		}
		if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
			*most = max(*most, peakOf(status))
		}
		parent = pid
	}
	for _, child := range childrenOf(pid) {
		w.look(child, parent)
	}
}

// seconds is the processor time of all processes that were seen. Of the children of a process that
// is what was seen of them, or what the kernel says once they have ended, which is more.
func (w *treeWatch) seconds() float64 {
	children := map[int][]int{}
	for pid, p := range w.seen {
		children[p.parent] = append(children[p.parent], pid)
	}
	var below func(pid int) float64
	below = func(pid int) (sum float64) {
		for _, child := range children[pid] {
			sum += w.seen[child].cpu + max(w.seen[child].waited, below(child))
		}
		return sum
	}
	return below(w.root)
}

// childrenOf returns the children that a process has, none if it has ended.
func childrenOf(pid int) (children []int) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, thread := range threads {
		text, _ := os.ReadFile(thread)
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}

const ticksPerSecond = 100 // USER_HZ, the same on all systems that matter here

func readProcess(pid int) (procStat, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return procStat{}, false
	}
	_, rest, ok := bytes.Cut(stat, []byte(") ")) // the name before it may have spaces
	fields := strings.Fields(string(rest))
	if !ok || len(fields) < 15 {
		return procStat{}, false
	}
	var ticks [4]float64 // user and system, of the process and of its children
	for i := range ticks {
		n, err := strconv.ParseUint(fields[11+i], 10, 64)
		if err != nil {
			return procStat{}, false
		}
		ticks[i] = float64(n)
	}
	parent, err := strconv.Atoi(fields[1])
	return procStat{parent, (ticks[0] + ticks[1]) / ticksPerSecond, (ticks[2] + ticks[3]) / ticksPerSecond}, err == nil
}
