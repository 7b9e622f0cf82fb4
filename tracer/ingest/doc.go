// Package ingest opens traces, and logs of other formats, as runs whose events are read one by one.
//
//	runs, err := ingest.Open(ctx, file, "shop.log", ingest.Options{})
//	for _, run := range runs {
//		header, err := run.Header()
//		err = run.Next(&e) // until io.EOF
//	}
//
// The packages below it read one format each. Their documentation defines the tasks, events and
// causes of that format. Package tlcheck/trace checks the runs that this package opens.
package ingest
