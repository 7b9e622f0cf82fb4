// Package histories checks whether recorded operations are linearizable.
package histories

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/linearizability"
	"github.com/antichain-go/antichain/linearizability/jepsen"
	"github.com/antichain-go/antichain/tracer/event"
)

// Check checks histories.
type Check struct {
	Model  Flag
	Limits limits.Limits // of each history
	JSON   bool
}

// Run checks the histories in files, and prints the verdicts. Its error is the exit code.
func (c *Check) Run(ctx context.Context, s terminal.Streams, paths []string) error {
	var out exit.Outcomes
	for _, path := range paths {
		r := &outcome{name: event.Printable(path), model: &c.Model}
		err := c.decide(ctx, s.In, path, r)
		if err != nil {
			out.Failed = true
			fmt.Fprintln(s.Err, "antichain:", err)
			r.Why = err.Error()
		}
		out.Note(exit.Answer{Verdict: r.verdict()})
		write := r.writeText
		if c.JSON {
			write = r.writeJSON
		}
		if err := write(s.Out, len(paths) > 1); err != nil {
			return err
		}
	}
	return out.Err()
}

// decide reads a history and decides it.
func (c *Check) decide(ctx context.Context, stdin io.Reader, path string, to *outcome) error {
	ctx, stop := c.Limits.Bound(ctx)
	defer stop()
	name, err := to.read(ctx, stdin, path)
	switch {
	case err != nil && ctx.Err() != nil:
		to.Why = fmt.Sprintf("%v while the history was read%s", context.Cause(ctx), limits.Remedy(context.Cause(ctx)))
		return nil
	case err != nil:
		return err
	}
	if to.result, err = linearizability.Check(ctx, c.Model.model, c.Model.adapt(to.ops)); err != nil {
		return fmt.Errorf("%s: %w", event.Printable(name), err)
	}
	if to.result.Verdict == linearizability.Undecided {
		cause := context.Cause(ctx)
		to.Why = fmt.Sprintf("%v after %d positions of the search%s", cause, to.result.Positions, limits.Remedy(cause))
	}
	return nil
}

// read reads a history, and returns its name in messages.
func (r *outcome) read(ctx context.Context, stdin io.Reader, path string) (string, error) {
	in, name, err := input.OpenText(ctx, stdin, path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	r.ops, err = jepsen.Read(in, name)
	return name, err
}

// Flag is --linearizable.
type Flag struct {
	text, name string
	model      linearizability.Model
}

// Set takes NAME or NAME=VALUE.
func (f *Flag) Set(text string) error {
	name, first, hasFirst := strings.Cut(text, "=")
	model, ok := linearizability.Named(name)
	if !ok {
		return fmt.Errorf("the models are %s", strings.Join(linearizability.Names(), ", "))
	}
	if hasFirst {
		if model, ok = linearizability.NamedFrom(name, valueOf(first)); !ok {
			return fmt.Errorf("a %s has no such first value: register, map and counter have one", name)
		}
	}
	f.text, f.name, f.model = text, name, model
	return nil
}

func (f *Flag) String() string { return f.text }

// Type returns the word for the value in help texts.
func (f *Flag) Type() string { return "MODEL" }

// valueOf returns a value as Go writes it: a number, a string in quotes, true, false or nil. All
// other texts are strings.
func valueOf(text string) linearizability.Value {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	if s, err := strconv.Unquote(text); err == nil {
		return s
	}
	switch text {
	case "true", "false":
		return text == "true"
	case "nil":
		return nil
	}
	return text
}

// adapt makes the keys of a log, which are objects there, the first arguments that the methods of a
// map have.
func (f *Flag) adapt(ops []*linearizability.Operation) []*linearizability.Operation {
	if f.name != "map" {
		return ops
	}
	adapted := slices.Clone(ops)
	for i, o := range ops {
		if o.Object != "" {
			whole := *o
			whole.Arguments = append([]linearizability.Value{o.Object}, o.Arguments...)
			adapted[i] = &whole
		}
	}
	return adapted
}
