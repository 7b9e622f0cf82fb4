//go:build unix

// Command measure measures what tracing costs and prints it as a table in Markdown: run it in
// the repository with "go run ./cmd/measure", or with -short for a quick look.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run() error {
	rowsFlag := flag.String("rows", "", "only the rows whose names match this `pattern`")
	count := flag.Int("n", 5, "repetitions of each row")
	short := flag.Bool("short", false, "few operations, no sizes: to see that everything works")
	sizes := flag.Bool("sizes", true, "also measure traces and nets")
	flag.Parse()
	pattern, err := regexp.Compile(*rowsFlag)
	switch {
	case err != nil:
		return err
	case *count < 1:
		return fmt.Errorf("-n %d: at least one repetition is needed", *count)
	case flag.NArg() > 0:
		return fmt.Errorf("unexpected argument %s", flag.Arg(0))
	}
	b, err := newBench()
	if err != nil {
		return err
	}
	defer b.remove()
	divide := 1
	if *short {
		divide = 100
	}
	var results []result
	for _, r := range rows {
		if !pattern.MatchString(r.name) {
			continue
		}
		measured, err := b.row(r, *count, divide)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		results = append(results, measured)
	}
	fmt.Printf("Medians of %d, interleaved.\n\n", *count)
	fmt.Print(costTable(results), "\n", verdictTable(results))
	if *short || !*sizes {
		return nil
	}
	text, err := b.sizes(*count)
	if err != nil {
		return err
	}
	fmt.Print("\n", text)
	return nil
}
