//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"time"
)

// watch looks at the memory and the processor time of a process until it has ended. The kernel's
// own account of a child counts the children of the child too, here compilers and linkers.
type watch struct {
	stop chan struct{}
	done chan seen
}

// seen is what a watch has seen.
type seen struct {
	mib  float64 // the most there were, 0 if that is not known
	used []usedUntil
}

// usedUntil is the processor time, in seconds, that a process had had at a time.
type usedUntil struct {
	at  time.Time
	cpu float64
}

func newWatch(pid int) *watch {
	w := &watch{make(chan struct{}), make(chan seen, 1)}
	go w.run(pid)
	return w
}

// end ends the watch.
func (w *watch) end() seen {
	close(w.stop)
	return <-w.done
}

func (w *watch) run(pid int) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var s seen
	for {
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
			s.mib = max(s.mib, peakOf(text))
		}
		if p, ok := readProcess(pid); ok {
			s.used = append(s.used, usedUntil{time.Now(), p.cpu})
		}
		select {
		case <-w.stop:
			w.done <- s
			return
		case <-tick.C:
		}
	}
}

// between is the processor time that the process has had from the first time to the second one.
func (s seen) between(from, to time.Time) float64 { return s.until(to) - s.until(from) }

// until is the processor time that the process has had when it was last looked at before a time.
func (s seen) until(at time.Time) (cpu float64) {
	for _, u := range s.used {
		if u.at.After(at) {
			break
		}
		cpu = u.cpu
	}
	return cpu
}

// peakOf returns the high water mark in a process's status, in MiB.
func peakOf(status []byte) float64 { return statusMiB(status, "VmHWM:") }

// statusMiB returns the amount of memory that a process's status has for a key, in MiB, 0 if it has
// none.
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
