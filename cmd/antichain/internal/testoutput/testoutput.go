// Package testoutput passes on what a test binary prints, and finds out from it which tests have
// failed.
package testoutput

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Pipe takes the output of a test binary, and passes it on at once.
type Pipe struct {
	to, read, write *os.File
	done            chan struct{} // closed when everything was passed on
	scanner         Scanner
}

// New returns a pipe to a file.
func New(to *os.File) (*Pipe, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &Pipe{to: to, read: r, write: w, done: make(chan struct{})}
	go p.copy()
	return p, nil
}

// File returns the end of the pipe to which the test binary writes its output.
func (p *Pipe) File() *os.File { return p.write }

// copy passes on the output. If its reader is gone, copy ends, and the test binary gets the error.
func (p *Pipe) copy() {
	defer close(p.done)
	defer p.read.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := p.read.Read(buf)
		if n > 0 {
			p.scanner.add(buf[:n])
			if _, failed := p.to.Write(buf[:n]); failed != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// Started is called when the test binary has the file, or will never have it.
func (p *Pipe) Started() { p.write.Close() }

// Wait waits until everything was passed on, at most for so long after the test binary has ended: a
// process that it has started may have the file. Then it says so as go test does, and reports
// false.
func (p *Pipe) Wait(delay time.Duration) bool {
	late := time.NewTimer(delay)
	defer late.Stop()
	select {
	case <-p.done:
		return true
	case <-late.C:
		fmt.Fprintf(p.to, "*** Test I/O incomplete %v after exiting.\n", delay)
		return false
	}
}

// Failed returns the tests that have failed, once Wait has reported true.
func (p *Pipe) Failed() []string { return p.scanner.failed() }

// Scanner finds failed tests in what a test binary prints.
type Scanner struct {
	line      []byte   // so far
	reported  []string // by package testing
	crashing  bool     // what comes is the text of a panic
	crashedIn []string // tests in the stacks of that
}

// maxLine bounds the bytes of a line that are kept.
const maxLine = 4 << 10

// add takes the next part of the text.
func (s *Scanner) add(text []byte) {
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		part := text
		if end >= 0 {
			part = text[:end]
		}
		s.line = append(s.line, part[:min(len(part), maxLine-min(maxLine, len(s.line)))]...)
		if end < 0 {
			return
		}
		s.look(string(s.line))
		s.line, text = s.line[:0], text[end+1:]
	}
}

var (
	// failure matches what package testing prints of a test; those inside of one have a slash in
	// their names.
	failure = regexp.MustCompile(`--- FAIL: ((?:Test|Example|Fuzz)[^/\s]*) \([0-9]+\.[0-9]+s\)$`)

	// frame matches functions of stacks: "shop_test.TestOrder.func1(0x1)", "created by
	// shop.TestOrder in goroutine 7".
	frame = regexp.MustCompile(`^(?:created by )?(?:[^\s(]*/)?[^./\s]+\.((?:Test|Example|Fuzz)(?:[^\p{Ll}.(\s][^.(\s]*)?)(?:[.(\s].*)?$`)
)

// look looks at a line.
func (s *Scanner) look(line string) {
	if m := failure.FindStringSubmatch(line); m != nil {
		s.reported = append(s.reported, m[1])
		return
	}
	s.crashing = s.crashing || strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
	if !s.crashing {
		return
	}
	if strings.HasPrefix(line, "testing/synctest.Test(") {
		return // no test, in spite of its name
	}
	if m := frame.FindStringSubmatch(line); m != nil && m[1] != "TestMain" {
		s.crashedIn = append(s.crashedIn, m[1])
	}
}

// failed returns the tests that have failed, each once, in the order in which they did. Of a crash
// that package testing knows nothing of it is the one that comes first in the stacks, which begin
// with the goroutine that has crashed.
func (s *Scanner) failed() []string {
	all := slices.Clone(s.reported)
	if len(s.crashedIn) > 0 {
		all = append(all, s.crashedIn[0])
	}
	var once []string
	for _, name := range all {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once
}
