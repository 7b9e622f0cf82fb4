//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"time"
)

// watch looks at the memory of a process until it has ended. The kernel's own account of a
// child counts the children of the child too, here compilers and linkers.
type watch struct {
	stop chan struct{}
	most chan float64
}

func newWatch(pid int) *watch {
	w := &watch{make(chan struct{}), make(chan float64, 1)}
	go w.run(fmt.Sprintf("/proc/%d/status", pid))
	return w
}

// peak ends the watch and returns the most MiB there were, 0 if that is not known.
func (w *watch) peak() float64 {
	close(w.stop)
	return <-w.most
}

func (w *watch) run(status string) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	most := 0.0
	for {
		if text, err := os.ReadFile(status); err == nil {
			most = max(most, peakOf(text))
		}
		select {
		case <-w.stop:
			w.most <- most
			return
		case <-tick.C:
		}
	}
}

// peakOf returns the high water mark in a process's status, in MiB.
func peakOf(status []byte) float64 { return statusMiB(status, "VmHWM:") }

// statusMiB returns the amount of memory that a process's status has for a key, in MiB, 0 if it has none.
func statusMiB(status []byte, key string) float64 {
	_, rest, ok := bytes.Cut(status, []byte(key))
	if !ok {
		return 0
	}
	var kib float64
	if _, err := fmt.Sscan(string(rest[:min(len(rest), 40)]), &kib); err != nil {
		return 0
	}
	return kib / 1024
}
