package std

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/wording"
)

// Loggers name and start threads differently: one logs a fork before and after the call, another
// one forks thread 2 and writes its lines as T2. If such a log has only one possible meaning, that
// is assumed, with a warning. An ambiguous log is an error or stays as it is, with a warning too.

// thread is the information about a thread in the lines.
type thread struct {
	first, last   int32 // its own lines; 0 if there are none
	forks         []int32
	forker        int32 // of the first fork
	join          int32 // the first line that joins it
	forkedAtStart bool  // no line has named it before it was forked
}

func (l *log) thread(number int32) *thread {
	t := l.threads[number]
	if t == nil {
		t = new(thread)
		l.threads[number] = t
	}
	return t
}

// noteInitial finds the initial threads: the threads that a line names before they are forked.
func (l *log) noteInitial(r *record) error {
	if l.threads[r.thread] == nil {
		l.initial = append(l.initial, r.thread)
	}
	own := l.thread(r.thread)
	if own.last = r.line; own.first == 0 {
		own.first = r.line
	}
	switch r.operation {
	case fork:
		return l.forked(r)
	case join:
		return l.joined(r)
	}
	return nil
}

func (l *log) forked(r *record) error {
	known := l.threads[r.operand] != nil
	t := l.thread(r.operand)
	switch {
	case !known:
		t.forker, t.forkedAtStart = r.thread, true
	case t.forkedAtStart && t.forker == r.thread && t.join == 0: // the same fork once more
	default:
		return l.fault(r.line, fmt.Sprintf("thread %q is forked, but it was there before", l.names[r.operand]),
			"each thread of a log needs a name of its own, and no event before it is forked")
	}
	t.forks = append(t.forks, r.line)
	return nil
}

func (l *log) joined(r *record) error {
	if r.operand == r.thread {
		return l.fault(r.line, fmt.Sprintf("thread %q joins itself", l.names[r.thread]), "")
	}
	if l.threads[r.operand] == nil {
		l.initial = append(l.initial, r.operand)
	}
	if t := l.thread(r.operand); t.join == 0 {
		t.join = r.line
	}
	return nil
}

// assume determines, when all lines are known, which threads have two names, and describes the
// assumptions.
func (l *log) assume() {
	candidates := l.candidates()
	var renamed, idle, again notice
	for _, name := range l.linelessThreads() {
		t := l.threads[name]
		twin, ok := l.twinOf(name, candidates)
		switch {
		case ok:
			renamed.add(l.threads[name].line(), fmt.Sprintf("%q is %q", l.names[name], l.names[twin]))
			l.twins[name] = twin
			l.adopt(name, twin)
		case len(t.forks) == 0:
			idle.add(t.join, fmt.Sprintf("%q", l.names[name]))
		}
	}
	for _, name := range l.sorted() {
		if t := l.threads[name]; len(t.forks) > 1 {
			again.add(t.forks[1], fmt.Sprintf("%q", l.names[name]))
		}
	}
	l.warn(&renamed, "forks and joins name threads otherwise than lines do: it is assumed that %s")
	l.warn(&idle, "joined, but neither forked nor with a line of its own is thread %s: the join orders nothing")
	l.warn(&again, "forked again is thread %s: it is assumed to begin at the last fork before its first line")
}

// notice is one warning about several threads.
type notice struct {
	line  int32 // of the first
	texts []string
	more  int
}

const maxNoted = 5 // threads in a warning

func (n *notice) add(line int32, text string) {
	switch {
	case n.line == 0:
		n.line, n.texts = line, []string{text}
	case len(n.texts) < maxNoted:
		n.texts = append(n.texts, text)
	default:
		n.more++
	}
}

func (l *log) warn(n *notice, format string) {
	if n.line == 0 {
		return
	}
	l.warnings = append(l.warnings, l.pos(n.line)+": "+fmt.Sprintf(format, wording.Some(n.texts, n.more)))
}

// candidates are the threads with lines of their own, by their numbers; some of those with the same
// number are left out.
func (l *log) candidates() map[string][]int32 {
	all := map[string][]int32{}
	for _, name := range l.sorted() {
		if number := numberIn(l.names[name]); l.threads[name].first != 0 && len(all[number]) < maxCandidates {
			all[number] = append(all[number], name)
		}
	}
	return all
}

const maxCandidates = 8

// line is the first line that forks or joins a thread.
func (t *thread) line() int32 {
	if len(t.forks) > 0 {
		return t.forks[0]
	}
	return t.join
}

// linelessThreads are the threads without a line of their own.
func (l *log) linelessThreads() []int32 {
	return slices.DeleteFunc(l.sorted(), func(name int32) bool { return l.threads[name].first != 0 })
}

// sorted returns the threads in the order in which the log names them.
func (l *log) sorted() []int32 { return slices.Sorted(maps.Keys(l.threads)) }

// twinOf returns the thread that has the lines of one without any: the only one with the same
// number that is not forked or joined itself, and whose lines lie between the fork and the join.
func (l *log) twinOf(name int32, candidates map[string][]int32) (twin int32, ok bool) {
	t, number := l.threads[name], numberIn(l.names[name])
	if number == "" {
		return 0, false
	}
	for _, candidate := range candidates[number] {
		c := l.threads[candidate]
		switch {
		case len(c.forks)*len(t.forks) > 0 || c.join != 0 && t.join != 0: // it has its own
		case len(t.forks) > 0 && (candidate == l.initial[0] || c.first < t.forks[0]) || t.join != 0 && c.last > t.join:
		case ok:
			return 0, false
		default:
			twin, ok = candidate, true
		}
	}
	return twin, ok
}

// numberIn returns the digits at the end of a name, without zeros before them.
func numberIn(name string) string {
	digits := name[len(strings.TrimRight(name, "0123456789")):]
	if rest := strings.TrimLeft(digits, "0"); rest != "" || digits == "" {
		return rest
	}
	return "0"
}

// adopt assigns the forks and the join of a thread to its twin.
func (l *log) adopt(name, twin int32) {
	t, own := l.threads[name], l.threads[twin]
	if len(t.forks) > 0 {
		own.forks = t.forks
		l.initial = slices.DeleteFunc(l.initial, func(i int32) bool { return i == twin })
	}
	if t.join != 0 {
		own.join = t.join
		l.initial = slices.DeleteFunc(l.initial, func(i int32) bool { return i == name })
	}
	delete(l.threads, name)
}

// begins reports whether its thread begins with this fork: the last one before its first line, or
// of all if it has none.
func (l *log) begins(r *record) bool {
	t := l.threads[r.operand]
	last := t.forks[0]
	for _, line := range t.forks {
		if t.first == 0 || line < t.first {
			last = line
		}
	}
	return r.line == last
}
