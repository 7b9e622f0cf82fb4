package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/model/bdd"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tracer/event"
)

// maxQuestion is the length in bytes of the longest line of a batch.
const maxQuestion = 16 << 20

// answerHead is what every answer of a batch may have.
type answerHead struct {
	ID      json.RawMessage `json:"id,omitempty"`      // that of the question
	Error   string          `json:"error,omitempty"`   // a mistake in the question
	Unknown string          `json:"unknown,omitempty"` // the budget that ran out
}

// asHead makes an answer of an error.
func asHead(id json.RawMessage, err error) answerHead {
	if ranOut(err) {
		return answerHead{ID: id, Unknown: err.Error() + limits.Remedy(err)}
	}
	line, _, _ := bytes.Cut([]byte(err.Error()), []byte("\n"))
	return answerHead{ID: id, Error: string(line)}
}

// ranOut reports whether an error says that a budget ran out.
func ranOut(err error) bool {
	var memory *budget.MemoryError
	var intervals *slices.IntervalsError
	return errors.Is(err, tlcheck.ErrTime) || errors.Is(err, ltl.ErrNodes) || errors.Is(err, bdd.ErrNodes) || errors.As(err, &intervals) || errors.As(err, &memory)
}

// gaveUp answers a single question for which a budget ran out.
func gaveUp(s terminal.Streams, asJSON bool, err error) error {
	if asJSON {
		if err := report.WriteJSON(s.Out, asHead(nil, err)); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.Err, "antichain: %v%s\n", err, limits.Remedy(err))
	return exit.Code(exit.Unknown)
}

// batch reads questions, a JSON object a line, and writes an answer to each in a line, in their order. What is
// answered is written before it waits for more. A line that cannot be answered is an answer, too.
type batch struct {
	s terminal.Streams
	// answer answers a line with an object. The id is that of the question, if it could be read.
	answer func(ctx context.Context, line []byte) (object any, id json.RawMessage, err error)

	exit.Outcomes
}

func (b *batch) run(ctx context.Context) error {
	in := bufio.NewReaderSize(b.s.In, 1<<16)
	out := bufio.NewWriterSize(b.s.Out, 1<<16)
	for number := 1; ; number++ {
		if buffered, _ := in.Peek(in.Buffered()); bytes.IndexByte(buffered, '\n') < 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		var line []byte
		var err error
		if !interrupt.Do(ctx, func() { line, err = readQuestion(in) }) {
			return context.Cause(ctx)
		}
		if err == io.EOF && len(line) == 0 {
			break
		}
		if err != nil && err != io.EOF && !errors.Is(err, errLongQuestion) {
			return errors.Join(err, out.Flush())
		}
		if len(bytes.TrimSpace(line)) == 0 && err == nil {
			continue
		}
		if err := b.one(ctx, out, number, line, err); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return b.Err()
}

// one writes the answer to a line that was read, or could not be.
func (b *batch) one(ctx context.Context, out io.Writer, number int, line []byte, err error) error {
	var object any
	var id json.RawMessage
	if !errors.Is(err, errLongQuestion) {
		object, id, err = b.answer(ctx, line)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case ranOut(err):
		b.Unknown = true
	case err != nil:
		b.Failed = true
		err = fmt.Errorf("line %d: %w", number, err)
	}
	if err != nil {
		object = asHead(id, err)
	}
	return report.WriteJSON(out, object)
}

var errLongQuestion = fmt.Errorf("the line is longer than the limit of %s", budget.Format(maxQuestion))

// readQuestion reads a line. Of one that is too long nothing is kept.
func readQuestion(in *bufio.Reader) (line []byte, err error) {
	for long := false; ; {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxQuestion; !long {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case long && (err == nil || err == io.EOF):
			return nil, errLongQuestion
		default:
			return line, err
		}
	}
}

// parseQuestion reads the JSON object of a line, and of one with a mistake what can be read of it. Keys that
// nobody asks for are left alone.
func parseQuestion(line []byte, question any) error {
	err := json.Unmarshal(line, question)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("this is no JSON object: %w, at byte %d", err, syntax.Offset)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("found a JSON %s: write a JSON object a line", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("key %q: found a JSON %s, expected a %s", event.Printable(kind.Field), kind.Value, jsonKind(kind.Type.String()))
	}
	return err
}

// jsonKind names a type of Go as JSON does.
func jsonKind(t string) string {
	switch t {
	case "ltl.Word":
		return "array of arrays of strings"
	case "[]string":
		return "array of strings"
	}
	return t
}
