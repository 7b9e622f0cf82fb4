package main

import (
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/input"
	"github.com/spf13/cobra"
)

// newFormatsTopic is "antichain help formats".
func newFormatsTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString(`check, monitor, explain, table, stats, view, convert, send and debug read traces, in text or binary form.
With --format they read other records of runs. ltl, ctl and steps read traces only: convert other
records first. Such a file is read to its current end, also by monitor. It may be compressed as a
whole with gzip or zstd.

If a file holds several runs, each is checked and reported as FILE:RUN. --run chooses one of them;
convert, table and explain need it then.`)
	for _, f := range input.NewFormats() {
		fmt.Fprintf(&b, "\n--format %s: %s\n%s\n", f.Name, f.About, f.Text)
	}
	return &cobra.Command{Use: "formats", Short: "the other formats that can be read", Long: strings.TrimSuffix(b.String(), "\n")}
}
