package trace_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/trace"
	"github.com/antichain-go/antichain/tracer/ingest"
	"github.com/antichain-go/antichain/tracer/ingest/ndjson"
)

// endless writes a line after the other, and counts their bytes.
type endless struct {
	line  func(i int) string
	n     int
	rest  string
	bytes int64
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if e.rest == "" {
			e.rest = e.line(e.n)
			e.n++
		}
		copied := copy(p[n:], e.rest)
		e.rest = e.rest[copied:]
		n += copied
	}
	e.bytes += int64(n)
	return n, nil
}

// compressed returns what w makes of a text that does not end.
func compressed(t *testing.T, in io.Reader, compress func(io.Writer) (io.WriteCloser, error)) io.Reader {
	out, to := io.Pipe()
	t.Cleanup(func() { out.Close() })
	go func() {
		w, err := compress(to)
		if err == nil {
			_, err = io.Copy(w, in) // until the pipe is closed
		}
		to.CloseWithError(err)
	}()
	return out
}

// held is what a limit of memory counts.
func held() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}

// Reading a log that does not end stops close to the limit of memory, whatever its format is,
// compressed or not. Traces are decompressed in one place, and all other formats in another one, so
// one of these stands for the others.
func TestReadingIsBounded(t *testing.T) {
	mapping, err := ndjson.ParseMapping("map.json", []byte(`{"task": "t", "set": {"x": "x"}}`))
	if err != nil {
		t.Fatal(err)
	}
	formats := map[ingest.Format]func(int) string{
		ingest.Trace: func(i int) string {
			if i == 0 {
				return `{"antichain":1,"tasks":["a"]}` + "\n"
			}
			return fmt.Sprintf(`{"t":"a","set":{"x":%d}}`+"\n", i)
		},
		ingest.ShiViz: func(i int) string { return fmt.Sprintf("a {\"a\":%d}\nevent %d\n", i+1, i) },
		ingest.STD:    func(i int) string { return fmt.Sprintf("T%d|w(x%d)|%d\n", i%9, i%99, i%999) },
		ingest.NDJSON: func(i int) string { return fmt.Sprintf(`{"t":"a","x":%d}`+"\n", i) },
		ingest.CSV: func(i int) string {
			if i == 0 {
				return "t,x\n"
			}
			return fmt.Sprintf("a,%d\n", i)
		},
		ingest.OTLP: func(i int) string {
			span := map[string]any{
				"traceId": fmt.Sprintf("%032x", 1), "spanId": fmt.Sprintf("%016x", i+1), "name": "work",
				"startTimeUnixNano": fmt.Sprint(int64(1e18) + int64(i)),
				"endTimeUnixNano":   fmt.Sprint(int64(1e18) + int64(i) + 5),
			}
			line, _ := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{"scopeSpans": []any{map[string]any{"spans": []any{span}}}}}})
			return string(line) + "\n"
		},
		ingest.Jaeger: func(i int) string {
			return fmt.Sprintf(`{"traceID":"1","spanID":"%x","operationName":"work","startTime":%d,`+
				`"process":{"serviceName":"a"}}`+"\n", i+1, i+1)
		},
		ingest.Zipkin: func(i int) string {
			return fmt.Sprintf(`{"traceId":"1","id":"%x","name":"work","timestamp":%d,"duration":5}`+"\n", i+1, i+1)
		},
		ingest.Chrome: func(i int) string {
			if i == 0 {
				return "["
			}
			return fmt.Sprintf(`{"ph":"X","pid":1,"tid":1,"name":"work","ts":%d,"dur":5},`+"\n", 9*i)
		},
	}
	compressions := map[string]func(io.Writer) (io.WriteCloser, error){
		"plain": nil,
		"gzip":  func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestSpeed) },
		"zstd": func(w io.Writer) (io.WriteCloser, error) {
			return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
		},
	}
	for format, line := range formats {
		for how, compress := range compressions {
			if compress != nil && format != ingest.Trace && format != ingest.NDJSON {
				continue
			}
			t.Run(fmt.Sprint(format, " ", how), func(t *testing.T) {
				in := &endless{line: line}
				r := io.Reader(in)
				if compress != nil {
					r = compressed(t, in, compress)
				}
				debug.FreeOSMemory() // what the reading before has left is no memory of this one
				limit := held() + 64<<20
				ctx, stop := budget.WithMemory(t.Context(), limit)
				defer stop()
				most := int64(0)
				runs, err := ingest.Open(ctx, &watched{r, &most}, "log",
					ingest.Options{Format: format, Mapping: mapping})
				if err == nil {
					_, err = trace.ReadNet(ctx, runs[0])
				}
				var full *budget.MemoryError
				if !errors.As(context.Cause(ctx), &full) || err == nil {
					t.Fatalf("after %d bytes: %v (%v)", in.bytes, err, context.Cause(ctx))
				}
				if most = max(most, held()); most > limit+limit*3/10 {
					t.Errorf("%d bytes are held, with a limit of %d", most, limit)
				}
			})
		}
	}
}

// watched notes how much memory is held when something is read.
type watched struct {
	io.Reader
	most *int64
}

func (w *watched) Read(p []byte) (int, error) {
	*w.most = max(*w.most, held())
	return w.Reader.Read(p)
}
