package main

import (
	"context"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracefile"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

func newConvert(s terminal.Streams) *cobra.Command {
	var output, to string
	from := input.Flags{Single: true}
	cmd := &cobra.Command{
		Use:   "convert [-o FILE] [--to text|binary] TRACE",
		Short: "convert a trace between text and binary form",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return convert(cmd.Context(), s, args[0], &from, output, tracefile.Form(to))
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to this `FILE`; default -, standard output")
	cmd.Flags().StringVar(&to, "to", "", "write this `FORM`: text or binary")
	from.Register(cmd.Flags())
	return cmd
}

func convert(ctx context.Context, s terminal.Streams, name string, from *input.Flags, output string, to tracefile.Form) error {
	if to != "" && to != tracefile.Text && to != tracefile.Binary {
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
	input.Warn(s.Err, r.Reader)
	if to == "" {
		to = otherForm(r.Reader, output)
	}
	if output == "-" {
		output = ""
	}
	w := tracefile.NewStream(s.Out, to, h)
	if output != "" {
		if w, err = tracefile.Create(output, to, h); err != nil {
			return err
		}
	}
	err = input.EachEvent(r, w.Write)
	if lost := r.Lost(); err == nil && lost != "" {
		err = fmt.Errorf("%s: %s", name, lost)
	}
	if err != nil {
		w.Abandon()
		return err
	}
	return w.Finish()
}

// otherForm returns text for a binary trace, and binary for one in text. It returns text in any
// case if the name of the output asks for that.
func otherForm(r event.Reader, output string) tracefile.Form {
	if output != "" && tracefile.FormOf(output) == tracefile.Text {
		return tracefile.Text
	}
	if _, ok := r.(*event.BinaryReader); ok {
		return tracefile.Text
	}
	return tracefile.Binary
}
