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
	p := &Progress{to: &out, timer: time.NewTimer(time.Hour), what: "building"}
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
	p := &Progress{to: &out, timer: time.NewTimer(time.Hour), what: "checking"}
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
