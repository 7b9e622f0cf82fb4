// Command builtins checks built-in properties on a log of locks, and prints the results.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"os"

	"github.com/antichain-go/antichain/onthefly/builtins"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest"
)

func main() {
	runs := must(ingest.Open(context.Background(), must(os.Open("locks.std")), "locks.std", ingest.Options{}))
	for _, run := range runs {
		checker := builtins.New(must(run.Header()), builtins.Config{Properties: builtin.Properties})
		for e := new(event.Event); ; {
			err := run.Next(e)
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				log.Fatal(err)
			}
			checker.Add(e)
		}
		for _, result := range checker.Results("") {
			if err := report.WriteText(os.Stdout, result, report.Style{}); err != nil {
				log.Fatal(err)
			}
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
