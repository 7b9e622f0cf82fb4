// Command calls checks a specification on a log in a format of its own.
package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tlcheck/trace"
	"github.com/antichain-go/antichain/tracer/event"
)

// callLog reads the log: each line names a service and the function that it enters.
type callLog struct {
	lines *bufio.Scanner
	line  int
	err   error
}

var _ event.Reader = (*callLog)(nil)

func (c *callLog) Header() (*event.Header, error) {
	return &event.Header{Tasks: []string{"web", "db"}}, nil
}

func (c *callLog) Next(e *event.Event) error {
	if c.err == nil {
		c.err = c.read(e)
	}
	return c.err
}

func (c *callLog) read(e *event.Event) error {
	if !c.lines.Scan() {
		return cmp.Or(c.lines.Err(), io.EOF)
	}
	c.line++
	e.Reset()
	var found bool
	if e.Task, e.Enter, found = strings.Cut(c.lines.Text(), " "); !found {
		return &event.Error{Pos: c.Pos(), Reason: "no function after the service"}
	}
	return nil
}

func (c *callLog) Pos() string { return fmt.Sprintf("calls.log:%d", c.line) }

func main() {
	specification := must(spec.Parse("write.tl", string(must(os.ReadFile("write.tl")))))
	calls := &callLog{lines: bufio.NewScanner(must(os.Open("calls.log")))}
	for _, result := range must(trace.CheckRun(context.Background(), calls, specification, tlcheck.Options{})) {
		if err := report.WriteText(os.Stdout, result, report.Style{}); err != nil {
			log.Fatal(err)
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
