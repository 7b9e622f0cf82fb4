package trace_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tlcheck/trace"
	"github.com/antichain-go/antichain/tracer/event"
)

// callLog reads a log in a format of its own: each line names a service and the function that it
// enters.
type callLog struct {
	lines *bufio.Scanner
	line  int
	err   error
}

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

// Any event.Reader can be checked, also one for a format that package ingest does not know.
func ExampleCheckRun() {
	calls := &callLog{lines: bufio.NewScanner(strings.NewReader("web write\ndb write\n"))}
	specification, err := spec.Parse("write.tl", "property exclusive: not (a:(in.write) and b:(in.write)) if a != b")
	if err != nil {
		log.Fatal(err)
	}
	results, err := trace.CheckRun(context.Background(), calls, specification, tlcheck.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, result := range results {
		fmt.Println(result.Property.Name, result.Verdict)
	}
	// Output:
	// exclusive violated
}
