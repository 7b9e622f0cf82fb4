package testevents

import (
	"io"
	"regexp"
	"strings"
)

// printer prints what go test prints without -json: package by package, in the order in which their
// tests began. What the first of those prints that have not ended is printed at once, if passing
// tests are shown.
type printer struct {
	out, err io.Writer
	verbose  bool // as with -v
	benches  bool // as with -bench: what is printed is shown, and not which tests run

	pages []*page
}

// page is the output for a package.
type page struct {
	of      *Package
	text    strings.Builder
	written int // so much of the text
	ended   bool
	shown   string // the test that has printed the last line, with -v
}

// print takes an event of a package, which has been recorded.
func (p *printer) print(e *Event, of *Package) error {
	page := p.pageOf(of)
	switch {
	case p.verbose:
		page.show(e)
	case p.benches && !isFrame(e.Output) && e.Output != e.Test+"\n", e.Test == "":
		page.text.WriteString(e.Output)
	case p.benches:
	case e.ends():
		page.endTest(e.Test)
	}
	if e.Test == "" && e.ends() {
		page.ended = true
		if !p.verbose && !p.benches {
			page.endPackage()
		}
	}
	return p.flush()
}

// build prints what a build says.
func (p *printer) build(e *Event) error {
	_, err := io.WriteString(p.err, e.Output)
	return err
}

func (p *printer) pageOf(of *Package) *page {
	for _, page := range p.pages {
		if page.of == of {
			return page
		}
	}
	page := &page{of: of}
	p.pages = append(p.pages, page)
	return page
}

// flush prints what there is of the first package, and what follows if it has ended.
func (p *printer) flush() error {
	for _, page := range p.pages {
		if !page.ended && !p.verbose && !p.benches {
			break
		}
		text := page.text.String()[page.written:]
		page.written += len(text)
		if _, err := io.WriteString(p.out, text); err != nil {
			return err
		}
		if !page.ended {
			break
		}
	}
	return nil
}

// finish prints the remaining output when go test has ended with this exit code.
func (p *printer) finish(code int) error {
	for _, page := range p.pages {
		page.ended = true
	}
	if err := p.flush(); err != nil || code == 0 || len(p.pages) == 0 {
		return err
	}
	_, err := io.WriteString(p.out, "FAIL\n") // as go test does if it is given packages
	return err
}

var (
	frameLine = regexp.MustCompile(`^=== (RUN|PAUSE|CONT|NAME|ATTR|ARTIFACTS) `)
	failure   = regexp.MustCompile(`^--- FAIL: `)
	success   = regexp.MustCompile(`^--- (PASS|SKIP|BENCH): `)
	summary   = regexp.MustCompile(`^(ok  |\?   )?\t`)
)

// isFrame reports whether package testing has printed the line about the progress of tests.
func isFrame(line string) bool { return frameLine.MatchString(line) || success.MatchString(line) }

// endTest prints a test that has ended: with the test that it is a part of, or alone.
func (p *page) endTest(name string) {
	i := len(p.of.Tests) - 1
	for p.of.Tests[i].Name != name {
		i--
	}
	t := p.of.Tests[i]
	report := t.visibleLines()
	t.report = nil
	if parent := p.of.parent(name); parent != nil {
		for _, line := range report {
			if strings.HasPrefix(line, "    ") || failure.MatchString(line) {
				line = "    " + line
			}
			parent.report = append(parent.report, line)
		}
		return
	}
	p.text.WriteString(strings.Join(report, ""))
}

// visibleLines returns the lines that go test shows of a test without -v: what the test has printed
// and, if it has failed, the line that says so and the log of package testing, which is indented.
func (t *Test) visibleLines() []string {
	var printed, head, logged []string
	for _, line := range t.report {
		switch {
		case frameLine.MatchString(line), success.MatchString(line):
		case failure.MatchString(line) && head == nil:
			head = []string{line}
		case strings.HasPrefix(line, "    "), head != nil:
			logged = append(logged, line)
		default:
			printed = append(printed, line)
		}
	}
	if t.Result != "fail" && t.Result != "" {
		return printed
	}
	return append(append(printed, head...), logged...)
}

// show prints with -v. The event has the name of the test that go test prints where it is another
// one than before.
func (p *page) show(e *Event) {
	if e.Output == "" {
		return
	}
	own := strings.HasPrefix(e.Output, "=== ") || strings.HasPrefix(strings.TrimLeft(e.Output, " "), "--- ")
	if e.Test != "" && e.Test != p.shown && !own {
		p.text.WriteString("=== NAME  " + e.Test + "\n")
	}
	p.shown = e.Test
	p.text.WriteString(e.Output)
}

// endPackage prints a package that has ended.
func (p *page) endPackage() {
	if p.of.Result != "fail" {
		p.text.Reset()
		for line := range strings.Lines(string(p.of.Output)) {
			if summary.MatchString(line) {
				p.text.WriteString(line)
			}
		}
		return
	}
	summary := p.text.String()
	p.text.Reset()
	for _, t := range p.of.Tests {
		if t.Result == "" { // it has ended the process, and the summary comes behind it
			p.text.WriteString(strings.Join(t.visibleLines(), ""))
		}
	}
	p.text.WriteString(summary)
}
