package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/explicit"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/cobra"
)

func newTable(s terminal.Streams) *cobra.Command {
	var formula string
	var how checkFlags
	from := input.Flags{Single: true}
	cmd := &cobra.Command{
		Use:   "table -e FORMULA [--logic l3|frey96] [--json] TRACE",
		Short: "print the value of a formula in every global state",
		Long: fmt.Sprintf(`table prints the value of a formula in every global state (slice) of a trace, for every assignment of
goroutines to its task variables. Values are true, false or undefined, one a line. table enumerates
the slices. If there are more than %d it exits with 3, as when a budget runs out. Otherwise it exits
with 0, whatever the values are.`, tlcheck.TableLimit),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return errors.New("name one TRACE, or - for standard input")
			case formula == "":
				return errors.New("no formula given: add -e FORMULA")
			}
			return table(cmd.Context(), s, formula, &how, &from, args[0])
		},
	}
	cmd.Flags().StringVarP(&formula, "expr", "e", "", "the `FORMULA`")
	cmd.Flags().StringVar(&how.logic, "logic", lsl.L3.String(), "`DIALECT` of the logic: l3 or frey96")
	cmd.Flags().BoolVar(&how.json, "json", false, "print one JSON object a line")
	how.budgetFlags.register(cmd.Flags(), 10*time.Minute, "reading the trace, or on the values,")
	from.Register(cmd.Flags())
	return cmd
}

func table(ctx context.Context, s terminal.Streams, formula string, how *checkFlags, from *input.Flags, trace string) error {
	property, err := specfile.ParseFormula(formula)
	if err != nil {
		return err
	}
	opt, err := how.options()
	if err != nil {
		return err
	}
	net, err := input.ReadOne(ctx, &how.Limits, trace, s, from)
	if err != nil {
		return err
	}
	if property, err = tlcheck.Resolve(net.Header(), property); err != nil {
		return err
	}
	if net.Header().Sparse {
		if err := tlcheck.DecidableOnSparse(net.Header(), property, opt.Logic); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(s.Out)
	line := lineText
	if how.json {
		line = lineJSON
	}
	ctx, stop := how.Bound(ctx)
	defer stop()
	initial := slices.NewLattice(net).Bottom()
	err = tlcheck.Table(ctx, net, property.Formula, opt.Logic, func(i slices.Ideal, tiva []tlcheck.Binding, value lsl.Truth) error {
		if property.Initially && !i.Equal(initial) {
			return nil
		}
		return line(out, net, i, tiva, value)
	})
	if err := out.Flush(); err != nil {
		return err
	}
	var tooMany *explicit.LimitError
	switch {
	case err != nil && ctx.Err() != nil:
		err = fmt.Errorf("%w before the table was complete%s", context.Cause(ctx), limits.Remedy(context.Cause(ctx)))
	case !errors.As(err, &tooMany):
		return err
	}
	fmt.Fprintln(s.Err, "antichain:", err)
	return exit.Code(exit.Unknown)
}

// lineText writes "main:1 main.1:0 | t=main | true".
func lineText(w io.Writer, net *san.Net, i slices.Ideal, tiva []tlcheck.Binding, value lsl.Truth) error {
	tivs := make([]string, len(tiva))
	for n, b := range tiva {
		tivs[n] = b.TIV + "=" + event.Printable(net.Name(b.Task))
	}
	_, err := fmt.Fprintf(w, "%s | %s | %s\n", event.Printable(report.SliceText(net, i)), strings.Join(tivs, " "), value)
	return err
}

// lineJSON writes the same as an object.
func lineJSON(w io.Writer, net *san.Net, i slices.Ideal, tiva []tlcheck.Binding, value lsl.Truth) error {
	tasks := make(map[string]string, len(tiva))
	for _, b := range tiva {
		tasks[b.TIV] = net.Name(b.Task)
	}
	return report.WriteObject(w, struct {
		Slice map[string]int64  `json:"slice"`
		TIVA  map[string]string `json:"tiva"`
		Value string            `json:"value"`
	}{report.SliceObject(net, i), tasks, value.String()})
}
