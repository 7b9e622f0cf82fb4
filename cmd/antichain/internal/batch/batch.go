// Package batch answers a file of questions. Each question is a line of JSON, and so is each
// answer.
//
// A question that cannot be answered gets an object with an error. One that exhausts its budget
// gets an object with unknown. The caller defines the questions and their answers.
package batch

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
	"github.com/antichain-go/antichain/internal/bom"
	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/model/bdd"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
)

// maxQuestion limits the bytes of a line.
const maxQuestion = 16 << 20

// Answerer answers a question, a line of a batch, with an object. It returns the id of the question
// if it could read it.
type Answerer func(ctx context.Context, line []byte) (object any, id json.RawMessage, err error)

// Run reads questions, a JSON object a line, and answers each with a line, in order. It writes all
// answers before it waits for the next question. A line that it cannot answer gets an answer with
// an error.
func Run(ctx context.Context, s terminal.Streams, answer Answerer) error {
	return (&session{s: s, answer: answer}).run(ctx)
}

// session is a running batch.
type session struct {
	s      terminal.Streams
	answer Answerer

	exit.Outcomes
}

func (b *session) run(ctx context.Context) error {
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
		if number == 1 {
			line = bom.Trim(line)
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

// one answers a line, or reports an error of reading it.
func (b *session) one(ctx context.Context, out io.Writer, number int, line []byte, err error) error {
	var object any
	var id json.RawMessage
	if !errors.Is(err, errLongQuestion) {
		object, id, err = b.answer(ctx, line)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case OverBudget(err):
		b.Unknown = true
	case err != nil:
		b.Failed = true
		err = fmt.Errorf("line %d: %w", number, err)
	}
	if err != nil {
		object = Failure(id, err)
	}
	return report.WriteObject(out, object)
}

var errLongQuestion = fmt.Errorf("the line is longer than the limit of %s", budget.Format(maxQuestion))

// readQuestion reads a line. It discards one that is too long.
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

// Header is common to all answers of a batch.
type Header struct {
	ID      json.RawMessage `json:"id,omitempty"`      // of the question
	Error   string          `json:"error,omitempty"`   // a mistake in the question
	Unknown string          `json:"unknown,omitempty"` // the exhausted budget
}

// Failure returns the answer for an error.
func Failure(id json.RawMessage, err error) Header {
	if OverBudget(err) {
		return Header{ID: id, Unknown: err.Error() + limits.Remedy(err)}
	}
	line, _, _ := bytes.Cut([]byte(err.Error()), []byte("\n"))
	return Header{ID: id, Error: string(line)}
}

// OverBudget reports whether an error is an exhausted budget.
func OverBudget(err error) bool {
	var memory *budget.MemoryError
	return errors.Is(err, tlcheck.ErrTime) || errors.Is(err, ltl.ErrNodes) || errors.Is(err, bdd.ErrNodes) ||
		errors.As(err, new(*slices.IntervalsError)) || errors.As(err, &memory)
}

// WriteUnknown answers a single question with an exhausted budget.
func WriteUnknown(s terminal.Streams, asJSON bool, err error) error {
	if asJSON {
		if err := report.WriteObject(s.Out, Failure(nil, err)); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.Err, "antichain: %v%s\n", err, limits.Remedy(err))
	return exit.Code(exit.Unknown)
}

// Parse reads the JSON object of a line. If the object has a mistake, Parse reads as much of it as
// possible. It ignores unknown keys.
func Parse(line []byte, question any) error {
	err := json.Unmarshal(line, question)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not a JSON object: %w, at byte %d", err, syntax.Offset)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("found a JSON %s: write a JSON object a line", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("key %q: found a JSON %s, expected a %s", event.Printable(kind.Field), kind.Value,
			jsonKind(kind.Type.String()))
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
