package terminal

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/antichain-go/antichain/tlcheck"
)

// A line that is shown is gone before anything else comes, and never comes back.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{to: &out, line: &out, timer: time.NewTimer(time.Hour), what: "building"}
	p.show(time.Now())
	p.Doing("running")
	p.show(time.Now().Add(-2 * time.Second))
	fmt.Fprintln(p, "a mistake")
	p.show(time.Now())
	p.Done()
	p.Done()
	want := "\r\x1b[Kbuilding … 0 s" + "\r\x1b[Krunning … 2 s" + "\r\x1b[K" + "a mistake\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

func TestProgressOffTerminals(t *testing.T) {
	var out bytes.Buffer
	p := Working(&out, "building")
	fmt.Fprintln(p, "a mistake")
	p.Done()
	if got := out.String(); got != "a mistake\n" || p.timer != nil {
		t.Errorf("printed %q, timer %v", got, p.timer)
	}
}

// A check shows how far it is, and is not asked where nobody sees it.
func TestProgressOfChecks(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{to: &out, line: &out, timer: time.NewTimer(time.Hour), what: "checking"}
	o := p.Watched(tlcheck.Options{Intervals: 7})
	p.show(time.Now())
	o.Progress(tlcheck.Progress{Share: 0.419, Intervals: 12})
	p.show(time.Now())
	p.Done()
	want := "\r\x1b[Kchecking … 0 s, 0%, 0 intervals kept" + "\r\x1b[Kchecking … 0 s, 41%, 12 intervals kept" + "\r\x1b[K"
	if out.String() != want || o.Intervals != 7 {
		t.Errorf("printed %q, want %q; %+v", out.String(), want, o)
	}
	if o := Working(&out, "checking").Watched(tlcheck.Options{}); o.Progress != nil {
		t.Error("asked without a terminal")
	}
}

// Where another process has the terminal, the line goes there, and text to the writer.
func TestProgressRemote(t *testing.T) {
	var out, remote bytes.Buffer
	Remote = &remote
	defer func() { Remote = nil }()
	p := WorkingSince(&out, "running", time.Now().Add(-5*time.Second))
	p.show(time.Now().Add(-5 * time.Second))
	fmt.Fprintln(p, "a mistake")
	if got, want := remote.String(), "\r\x1b[Krunning … 5 s\r\x1b[K"; got != want || out.String() != "a mistake\n" {
		t.Errorf("shown %q, want %q; printed %q", got, want, out.String())
	}
}

// Output of another program comes into a line of its own, and the next line is shown below.
func TestScreen(t *testing.T) {
	var out bytes.Buffer
	s := &Screen{To: &out}
	other := s.Beside(&out)
	for _, text := range []string{"first\n", "second\n"} {
		fmt.Fprint(other, text)
		fmt.Fprint(s, clearLine+"running … 5 s")
	}
	fmt.Fprint(s, clearLine)
	fmt.Fprint(other, "last\n")
	running := clearLine + "running … 5 s" + clearLine
	want := "first\n" + running + "second\n" + running + "last\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}
