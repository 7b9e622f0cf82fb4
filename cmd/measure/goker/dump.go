//go:build unix

package main

import (
	"regexp"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/report"
)

// goroutineForm begins a goroutine in a dump: its number and why it waits.
var goroutineForm = regexp.MustCompile(`^goroutine (\d+)[^\[]*\[([^\],]*)`)

// parseDump reads the goroutines in what the profile of leaked goroutines writes, in the form of a
// report's. A goroutine that does not wait is left out.
func parseDump(out string) (waiting []report.PartyObject, leaked bool) {
	for _, text := range strings.Split(out, "\n\n") {
		head, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
		m := goroutineForm.FindStringSubmatch(head)
		if m == nil {
			continue
		}
		reason, isLeaked := strings.CutSuffix(m[2], " (leaked)")
		leaked = leaked || isLeaked
		if operation := operationFor(reason); operation != "" {
			p := report.PartyObject{Task: m[1]}
			p.Op = operation
			p.Function, p.Stack = parseStack(rest)
			waiting = append(waiting, p)
		}
	}
	return waiting, leaked
}

// operationFor is the word of reports for a reason to wait, "" if there is none.
func operationFor(reason string) string {
	switch reason {
	case "sync.Mutex.Lock", "sync.RWMutex.Lock":
		return "lock"
	case "sync.RWMutex.RLock":
		return "rlock"
	case "sync.WaitGroup.Wait":
		return "wait"
	case "sync.Cond.Wait":
		return "condwait"
	case "chan send":
		return "send"
	case "chan receive":
		return "recv"
	case "select":
		return "select"
	}
	return ""
}

// parseStack reads the calls of a goroutine, innermost first, and the function that it began with.
func parseStack(text string) (function string, calls []report.FrameObject) {
	lines := strings.Split(text, "\n")
	for i := 0; i+1 < len(lines) && !strings.HasPrefix(lines[i], "created by "); i += 2 {
		function = lines[i]
		if end := strings.LastIndexByte(function, '('); end > 0 {
			function = function[:end] // its arguments
		}
		at, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		calls = append(calls, report.FrameObject{Function: function, At: at})
	}
	return function, calls
}
