// Package trace checks a specification on a recorded trace, in one call.
//
//	results, err := trace.Check(ctx, file, specification, trace.Options{Name: "run.jsonl"})
//	for _, result := range results {
//		err = report.WriteText(os.Stdout, result, report.Style{})
//	}
//
// The trace may have any format that package tracer/ingest opens. Package onthefly checks a trace
// while it is written.
package trace
