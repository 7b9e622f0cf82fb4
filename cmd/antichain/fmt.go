package main

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/spf13/cobra"
)

func newFmt(s terminal.Streams) *cobra.Command {
	var f specfile.Formatter
	cmd := &cobra.Command{
		Use:   "fmt [-l] [-d] [-w] [FILE...]",
		Short: "format specifications",
		RunE: func(_ *cobra.Command, files []string) error {
			return f.Run(s, files)
		},
	}
	cmd.Flags().BoolVarP(&f.List, "list", "l", false, "list files whose layout differs")
	cmd.Flags().BoolVarP(&f.Diff, "diff", "d", false, "print what differs")
	cmd.Flags().BoolVarP(&f.Write, "write", "w", false, "write the result to the files")
	return cmd
}
