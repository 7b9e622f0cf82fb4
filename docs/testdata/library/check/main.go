// Command check checks a specification on a run in four formats, and prints the results.
package main

import (
	"context"
	"log"
	"os"

	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tlcheck/trace"
	"github.com/antichain-go/antichain/tracer/ingest/ndjson"
)

func main() {
	specification := must(spec.Parse("write.tl", string(must(os.ReadFile("write.tl")))))
	mapping := must(ndjson.ParseMapping("mapping.json", must(os.ReadFile("mapping.json"))))
	for _, name := range []string{"run.jsonl", "run.log", "run.spans", "run.ndjson"} {
		options := trace.Options{Name: name}
		if name == "run.ndjson" { // the other formats are detected
			options.Input.Mapping = mapping
		}
		results := must(trace.Check(context.Background(), must(os.Open(name)), specification, options))
		for _, result := range results {
			if err := report.WriteText(os.Stdout, result, report.Style{}); err != nil {
				log.Fatal(err)
			}
			if err := report.WriteJSON(os.Stdout, name, result, report.Source{}); err != nil {
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
