package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/cmd/antichain/internal/tracedbuild"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/spf13/cobra"
)

func newBuild(s terminal.Streams) *cobra.Command {
	f := new(traceFlags)
	flags := f.flagSet("write the executable to this `FILE`; default the package's name in the current directory", false)
	cmd := &cobra.Command{
		Use:                   "build [--spec FILE] [-e FORMULA] [-o BINARY] [go build flags] PACKAGE",
		Short:                 "build a traced executable that runs without antichain",
		DisableFlagsInUseLine: true,
	}
	return goVerb(cmd, f, flags, func(ctx context.Context, args instrument.Args) error {
		return build(ctx, s, f, args)
	})
}

func build(ctx context.Context, s terminal.Streams, f *traceFlags, args instrument.Args) error {
	packages, rest := splitPackage(args.Rest)
	switch {
	case len(packages) == 0:
		return errors.New("no PACKAGE given: name the program, for example antichain build -o server ./cmd/server")
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %s: build makes one program", rest[0])
	}
	dir, err := launch.NewDir()
	if err != nil {
		return err
	}
	defer remove(s, dir)
	building := terminal.Working(s.Err, "building the traced program")
	defer building.Done()
	return tracedbuild.Interruptible(ctx, building, func(ctx context.Context) error {
		p, err := f.tracedBuild(args.Go, packages, dir.Path()).Program(ctx, building)
		if err != nil {
			return err
		}
		return p.Build.Compile(ctx, cmp.Or(f.output, p.Command))
	})
}
