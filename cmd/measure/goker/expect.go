//go:build unix

package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/cmd/measure/goker/kernel"
	"github.com/antichain-go/antichain/tlcheck/report"
)

//go:embed expected.txt
var expectedText string

// An expectation is what a report must name so that it is of a kernel's bug, and what it may name.
type expectation struct {
	kernel       *kernel.Kernel
	alternatives [][]waiter       // one of them must be named
	leaks        []*regexp.Regexp // "function(… [reason" of goroutines that wait in consequence
}

// A waiter is a goroutine that waits for ever.
type waiter struct {
	goroutine string // the function that it begins with
	kind      string // of the operation in which it waits
	lines     []int  // of the kernel's file on which that is
}

// expectations reads what is expected of each kernel.
func expectations(text string, kernels []*kernel.Kernel, leaks map[string][]*regexp.Regexp) (map[string]*expectation, error) {
	byName := make(map[string]*expectation)
	for _, k := range kernels {
		byName[k.Name] = &expectation{kernel: k, leaks: leaks[k.Name]}
	}
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		e := byName[name]
		if e == nil {
			return nil, fmt.Errorf("expected.txt:%d: there is no kernel %s", n, name)
		}
		alternative, err := parseWaiters(e.kernel, rest)
		if err != nil {
			return nil, fmt.Errorf("expected.txt:%d: %w", n, err)
		}
		e.alternatives = append(e.alternatives, alternative)
	}
	for _, k := range kernels {
		if len(byName[k.Name].alternatives) == 0 {
			return nil, fmt.Errorf("expected.txt says nothing of %s", k.Name)
		}
	}
	return byName, nil
}

// waiterForm is GOROUTINE: FUNCTION OPERATION[#N].
var waiterForm = regexp.MustCompile(`^([^ :]+): ([^ ]+) (\w+)(?:#(\d))?$`)

// parseWaiters reads waiters with + between them.
func parseWaiters(k *kernel.Kernel, text string) ([]waiter, error) {
	var waiters []waiter
	for part := range strings.SplitSeq(text, " + ") {
		m := waiterForm.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil {
			return nil, fmt.Errorf("%q is not of the form GOROUTINE: FUNCTION OPERATION", part)
		}
		n, _ := strconv.Atoi(m[4]) // 0 without a number
		lines, err := k.Lines(m[2], m[3], n)
		if err != nil {
			return nil, err
		}
		waiters = append(waiters, waiter{goroutine: m[1], kind: m[3], lines: lines})
	}
	return waiters, nil
}

// operations are the words of reports for each kind of operation. A select statement with one case
// is compiled into that case.
var operations = map[string][]string{
	"lock": {"lock"}, "rlock": {"rlock"}, "once": {"once", "lock"}, "wait": {"wait", "condwait"},
	"send": {"send"}, "recv": {"recv"}, "select": {"select", "send", "recv"},
}

// reasons are the words of the runtime for why a goroutine waits, for those of reports.
var reasons = map[string][]string{
	"lock": {"sync.Mutex.Lock", "sync.RWMutex.Lock"}, "once": {"sync.Mutex.Lock"}, "rlock": {"sync.RWMutex.RLock"},
	"wait": {"sync.WaitGroup.Wait"}, "condwait": {"sync.Cond.Wait"},
	"send": {"chan send"}, "recv": {"chan receive"}, "select": {"select", "chan send", "chan receive"},
}

// ofBug reports whether a finding is about the bug: everybody who waits in it is expected to. Who
// has ended with a lock may be named beside them.
func (e *expectation) ofBug(f *report.BuiltinObject) bool {
	if f.Builtin != "deadlock" && f.Builtin != "stuck" {
		return false
	}
	waiting := slices.DeleteFunc(slices.Clone(f.Parties), func(p report.PartyObject) bool { return p.Op == "end" })
	return len(waiting) > 0 &&
		!slices.ContainsFunc(waiting, func(p report.PartyObject) bool { return !e.expects(p) })
}

// expects reports whether a goroutine is one that waits because of the bug.
func (e *expectation) expects(p report.PartyObject) bool {
	for _, alternative := range e.alternatives {
		if slices.ContainsFunc(alternative, func(w waiter) bool { return e.is(w, p) }) {
			return true
		}
	}
	for _, reason := range reasons[p.Op] {
		leak := e.begin(p) + "(0x0) [" + reason + "]"
		if slices.ContainsFunc(e.leaks, func(r *regexp.Regexp) bool { return r.MatchString(leak) }) {
			return true
		}
	}
	return false
}

// is reports whether a goroutine of a report is this one.
func (e *expectation) is(w waiter, p report.PartyObject) bool {
	return slices.Contains(operations[w.kind], p.Op) && e.begins(w.goroutine, p) &&
		(e.at(w.lines, p.At) || slices.ContainsFunc(p.Stack, func(f report.FrameObject) bool { return e.at(w.lines, f.At) }))
}

// at reports whether a place is one of these lines of the kernel's file.
func (e *expectation) at(lines []int, place string) bool {
	return slices.Contains(lines, e.line(place))
}

// line is the line of the kernel's file that a place is on, 0 if it is elsewhere.
func (e *expectation) line(place string) int {
	file, line, _ := strings.Cut(path.Base(place), ":")
	n, err := strconv.Atoi(line)
	if err != nil || file != path.Base(e.kernel.Path) {
		return 0
	}
	return n
}

// begins reports whether a goroutine begins with a function: it runs it, or a wrapper around it. A
// wrapper is known by what it calls or, if the calls of the report do not go so far, by its go
// statement, which names a method without its type.
func (e *expectation) begins(function string, p report.PartyObject) bool {
	name := e.begin(p)
	if strings.Contains(name, wrapper) && p.Started != nil {
		started, _ := e.kernel.Started(e.line(p.Started.At))
		return started != "" && strings.HasSuffix("."+function, "."+e.kernel.Short(started))
	}
	// A closure in a function that was inlined has the names of both.
	return strings.HasSuffix("."+e.kernel.Short(name), "."+function)
}

// wrapper is in the name of a function that the compiler makes of a go statement with arguments.
const wrapper = ".gowrap"

// begin is the function that a goroutine begins with, without its wrapper if that is known by the
// calls of the report: it is among them, or they begin in the function literal that the go
// statement starts.
func (e *expectation) begin(p report.PartyObject) string {
	if !strings.Contains(p.Function, wrapper) {
		return p.Function
	}
	isWrapper := func(f report.FrameObject) bool { return strings.Contains(f.Function, wrapper) }
	if i := slices.IndexFunc(p.Stack, isWrapper); i > 0 {
		return p.Stack[i-1].Function
	}
	if n := len(p.Stack); n > 0 && p.Started != nil {
		_, body := e.kernel.Started(e.line(p.Started.At))
		if slices.Contains(body, e.line(p.Stack[n-1].At)) {
			return p.Stack[n-1].Function
		}
	}
	return p.Function
}

// named reports whether the findings name the goroutines and operations of the bug.
func (e *expectation) named(findings []*report.BuiltinObject) bool {
	var parties []report.PartyObject
	for _, f := range findings {
		if e.ofBug(f) {
			parties = append(parties, f.Parties...)
		}
	}
	return e.among(parties)
}

// among reports whether the goroutines and operations of the bug are among these.
func (e *expectation) among(parties []report.PartyObject) bool {
	return slices.ContainsFunc(e.alternatives, func(waiters []waiter) bool {
		candidates := make([][]string, len(waiters))
		for i, w := range waiters {
			for _, p := range parties {
				if e.is(w, p) && !slices.Contains(candidates[i], p.Task) {
					candidates[i] = append(candidates[i], p.Task)
				}
			}
		}
		return distinct(candidates, nil)
	})
}

// distinct reports whether there is a different task for each list of candidates, none of them
// taken.
func distinct(candidates [][]string, taken []string) bool {
	if len(candidates) == 0 {
		return true
	}
	return slices.ContainsFunc(candidates[0], func(task string) bool {
		return !slices.Contains(taken, task) && distinct(candidates[1:], append(taken, task))
	})
}
