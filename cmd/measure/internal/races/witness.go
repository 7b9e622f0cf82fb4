//go:build unix

package races

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// execution is what threads have done that do what they have done in a log.
type execution struct {
	lines   []line
	of      map[int][]int  // lines of each thread that it has not done
	started map[int]bool   // threads
	holder  map[string]int // of locks
	written map[string]int // the line that wrote a variable last
}

// verify executes the witness: threads do the next of what they did in the log, locks exclude, and
// reads see what they saw. Then both racing lines must be next.
func (r *race) verify() error {
	x := execution{r.lines, map[int][]int{}, map[int]bool{0: true}, map[string]int{}, map[string]int{}}
	for i, l := range r.lines {
		x.of[l.thread] = append(x.of[l.thread], i)
	}
	saw := writers(r.lines)
	for _, i := range r.witness {
		if err := x.do(i, saw); err != nil {
			return fmt.Errorf("line %d, %v: %w", i+1, r.lines[i], err)
		}
	}
	a, b := r.lines[r.first], r.lines[r.second]
	switch {
	case !x.isNext(r.first), !x.isNext(r.second):
		return errors.New("the witness does not lead to the race")
	case a.thread == b.thread, a.operand != b.operand, a.word != writes && b.word != writes:
		return errors.New("the accesses do not conflict")
	}
	return nil
}

// writers returns which line each read saw.
func writers(lines []line) map[int]int {
	saw, written := map[int]int{}, map[string]int{}
	for i, l := range lines {
		switch l.word {
		case writes:
			written[l.operand] = i + 1
		case reads:
			saw[i] = written[l.operand] - 1
		}
	}
	return saw
}

func (x *execution) isNext(i int) bool {
	of := x.of[x.lines[i].thread]
	return len(of) > 0 && of[0] == i
}

func (x *execution) do(i int, saw map[int]int) error {
	l := x.lines[i]
	if !x.started[l.thread] || !x.isNext(i) {
		return errors.New("it is not the next one of its thread")
	}
	x.of[l.thread] = x.of[l.thread][1:]
	holder, held := x.holder[l.operand]
	switch l.word {
	case writes:
		x.written[l.operand] = i + 1
	case reads:
		if x.written[l.operand]-1 != saw[i] {
			return errors.New("it sees another write than in the log")
		}
	case acquires:
		if held {
			return errors.New("the lock is held")
		}
		x.holder[l.operand] = l.thread
	case releases:
		if !held || holder != l.thread {
			return errors.New("the lock is not held")
		}
		delete(x.holder, l.operand)
	case forks:
		child, err := strconv.Atoi(strings.TrimPrefix(l.operand, "T"))
		if err != nil {
			return err
		}
		x.started[child] = true
	case joins:
		return errors.New("it waits for the end of a thread")
	}
	return nil
}
