package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tlcheck/trace"
	"github.com/antichain-go/antichain/tracer/event"
)

// repository is the root of the checkout.
const repository = "../../../.."

// sourceStyle finds the source of the examples.
var sourceStyle = report.Style{Source: report.Source{Dirs: []string{repository}}}

// readNet reads a trace in text form, and checks built-in properties on the way.
func readNet(t testing.TB, text string, on ...builtin.Property) (*san.Net, []*tlcheck.Result) {
	t.Helper()
	r := event.NewTextReader(strings.NewReader(text), "test")
	w := &watchedReader{Reader: r}
	if len(on) > 0 {
		h, err := r.Header()
		if err != nil {
			t.Fatal(err)
		}
		w.checker = builtins.New(h, builtins.Config{Properties: on, Named: true})
	}
	net, err := trace.ReadNet(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	if w.checker == nil {
		return net, nil
	}
	return net, w.checker.Results("")
}

// watchedReader passes the events it reads to a checker.
type watchedReader struct {
	event.Reader
	checker *builtins.Checker
}

func (w *watchedReader) Next(e *event.Event) error {
	err := w.Reader.Next(e)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err == nil && w.checker != nil {
		w.checker.Add(e)
	}
	return err
}

// example is the document of an example: its run, and its findings.
func example(t testing.TB, name string, on ...builtin.Property) *Document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	net, found := readNet(t, string(text), on...)
	d := &Document{Title: name}
	if src, err := os.ReadFile(filepath.Join(repository, "examples", name, name+".tl")); err == nil {
		file, err := spec.Parse(name+".tl", string(src))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range file.Properties {
			d.Findings = append(d.Findings, FindingOf(check(t, net, p), sourceStyle))
		}
	}
	for _, r := range found {
		d.Findings = append(d.Findings, FindingOf(r, sourceStyle))
	}
	run := RunOf(name, net)
	run.AddSource(sourceStyle.Source)
	d.Runs = append(d.Runs, run)
	return d
}

func check(t testing.TB, net *san.Net, p *spec.Property) *tlcheck.Result {
	t.Helper()
	r, err := tlcheck.Check(context.Background(), net, p, tlcheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// formula is a property of that formula.
func formula(t testing.TB, src string) *spec.Property {
	t.Helper()
	p, err := spec.ParseFormula(src)
	if err != nil {
		t.Fatal(err)
	}
	p.Name = "property"
	return p
}

// writePage writes a page and returns its address.
func writePage(t testing.TB, d *Document) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := WriteFile(path, d); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// manyTasks is a trace of that many goroutines of one kind, each with that many events.
func manyTasks(tasks, events int) string {
	var b strings.Builder
	b.WriteString(`{"antichain":2,"tasks":["main"]}` + "\n")
	for i := 1; i <= tasks; i++ {
		fmt.Fprintf(&b, `{"t":"main","spawn":"main.%d","op":"go","obj":"main.work","at":"main.go:12"}`+"\n", i)
	}
	for k := range events {
		for i := 1; i <= tasks; i++ {
			fmt.Fprintf(&b, `{"t":"main.%d","op":"send","obj":"chan %d","at":"main.go:%d"}`+"\n", i, k%3, 20+k%5)
		}
	}
	return b.String()
}
