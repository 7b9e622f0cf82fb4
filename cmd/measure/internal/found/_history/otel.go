// Spans end in two goroutines while the program flushes and shuts the provider down.
package main

import (
	"context"
	"fmt"
	"sync"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

type exp struct{}

func (exp) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { return nil }
func (exp) Shutdown(context.Context) error                             { return nil }

func main() {
	ctx := context.Background()
	tp := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exp{}))
	tr := tp.Tracer("t")
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Go(func() {
			_, s := tr.Start(ctx, "s")
			s.End()
		})
	}
	wg.Go(func() {
		fmt.Println("flush:", tp.ForceFlush(ctx))
	})
	wg.Wait()
	wg.Go(func() {
		_, s := tr.Start(ctx, "late")
		s.End()
	})
	fmt.Println("shutdown:", tp.Shutdown(ctx))
	wg.Wait()
}
