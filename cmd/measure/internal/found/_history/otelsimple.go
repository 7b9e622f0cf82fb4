// The program ends, and gives an exporter that hangs little time.
package main

import (
	"context"
	"fmt"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

type exporter struct{}

func (exporter) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { return nil }

func (exporter) Shutdown(context.Context) error {
	time.Sleep(50 * time.Millisecond)
	return nil
}

func main() {
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter{}))
	_, span := provider.Tracer("t").Start(context.Background(), "s")
	span.End()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	fmt.Println("shutdown:", provider.Shutdown(ctx))
	time.Sleep(100 * time.Millisecond)
}
