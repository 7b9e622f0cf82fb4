package main

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

func newConvert(s terminal.Streams) *cobra.Command {
	var output, to string
	from := input.Flags{Single: true}
	cmd := &cobra.Command{
		Use:   "convert [-o FILE] [--to text|binary] TRACE",
		Short: "turn a text trace into a binary one and back",
		Long: `convert reads a trace, from standard input if TRACE is -, and writes it in the other form:
text (JSON lines) or binary (compressed). A FILE that ends in .jsonl or .json is written as
text in any case, and --to overrules both. Without -o the trace goes to standard output.

With --format it reads a log in another format and writes the binary form, if nothing else is asked for.

Both forms carry the same information. FILE gets mode 0600, since a trace holds values of
the program's variables; an existing file is overwritten only if it is a trace.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return convert(cmd.Context(), s, args[0], &from, output, traceForm(to))
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to this `FILE`")
	cmd.Flags().StringVar(&to, "to", "", "write this `FORM`: text or binary")
	from.Register(cmd.Flags())
	return cmd
}

func convert(ctx context.Context, s terminal.Streams, name string, from *input.Flags, output string, to traceForm) error {
	if to != "" && to != textForm && to != binaryForm {
		return fmt.Errorf("--to %s: the forms are text and binary", to)
	}
	in, err := from.Open(ctx, name, s.In)
	if err != nil {
		return err
	}
	defer in.Close()
	r := &in.Traces[0]
	h, err := r.Header()
	if err != nil {
		return err
	}
	if to == "" {
		to = otherForm(r.Reader, output)
	}
	w := newTraceWriter(s.Out, to, h)
	if output != "" {
		if w, err = createTrace(output, to, h); err != nil {
			return err
		}
	}
	err = input.EachEvent(r, w.Write)
	if lost := r.Lost(); err == nil && lost != "" {
		err = fmt.Errorf("%s: %s", name, lost)
	}
	if err != nil {
		w.abandon()
		return err
	}
	return w.finish()
}

// otherForm returns the form that r has not, unless the output's name asks for text.
func otherForm(r event.Reader, output string) traceForm {
	if output != "" && formOf(output) == textForm {
		return textForm
	}
	if _, ok := r.(*event.BinaryReader); ok {
		return textForm
	}
	return binaryForm
}
