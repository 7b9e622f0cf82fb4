package event

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// A server writes the events of a made-up server: an accept loop spawns a task for
// each request, which locks, reads a shared map, talks to a pool of workers over
// channels and ends. Names, places and values are as a traced program has them.
type server struct {
	rand   *rand.Rand
	counts map[string]int
	sink   func(*Event)
}

func (s *server) emit(task string, e Event) Ref {
	s.counts[task]++
	e.Task = task
	s.sink(&e)
	return Ref{task, s.counts[task]}
}

func serverHeader() *Header {
	return &Header{Tasks: []string{"main"}, Run: "server"}
}

// run makes n events or a few more.
func (s *server) run(n int) {
	const workers = 8
	var pool, lastOp [workers]Ref
	for i := range workers {
		name := fmt.Sprintf("main.%d", i+1)
		s.emit("main", Event{Spawn: name, Op: "go", At: "main.go:20"})
		lastOp[i] = s.emit(name, Event{Enter: "worker", At: "worker.go:10", Set: []Binding{{"id", IntValue(int64(i))}}})
		pool[i] = lastOp[i]
	}
	mutex := pool[0]
	paths := []string{"/", "/index.html", "/api/items", "/api/items/42"}
	total := workers * 2
	for req := 0; total < n; req++ {
		task := fmt.Sprintf("main.%d", workers+1+req)
		s.emit("main", Event{Op: "recv", Obj: "fd 3", At: "server.go:31"})
		s.emit("main", Event{Op: "go", Spawn: task, At: "server.go:35"})
		s.emit(task, Event{Enter: "serve", At: "server.go:50", Set: []Binding{
			{"path", StringValue(paths[s.rand.IntN(len(paths))])}, {"size", IntValue(s.rand.Int64N(4096))}}})
		s.emit(task, Event{Op: "lock", Obj: "mutex 1", At: "cache.go:12", After: []Ref{mutex}})
		s.emit(task,
			Event{At: "cache.go:14",
				Global: []Binding{{"c.hits", IntValue(int64(req))}, {"c.entries", IntValue(s.rand.Int64N(100))}}})
		mutex = s.emit(task, Event{Op: "unlock", Obj: "mutex 1", At: "cache.go:16"})
		w := s.rand.IntN(workers)
		worker := fmt.Sprintf("main.%d", w+1)
		send := s.emit(task, Event{Op: "send", Obj: "chan 7", At: "server.go:61", After: []Ref{lastOp[w]}})
		s.emit(worker, Event{Op: "recv", Obj: "chan 7", At: "worker.go:14", After: []Ref{send}})
		s.emit(worker, Event{Enter: "handle", At: "worker.go:30", Set: []Binding{{"n", IntValue(int64(req))}}})
		s.emit(worker, Event{Op: "load", Obj: "atomic 4", At: "worker.go:33"})
		s.emit(worker, Event{Exit: "handle", At: "worker.go:38"})
		lastOp[w] = s.emit(worker, Event{Op: "send", Obj: fmt.Sprintf("chan %d", 10+req), At: "worker.go:16"})
		s.emit(task,
			Event{Op: "recv", Obj: fmt.Sprintf("chan %d", 10+req), At: "server.go:63", After: []Ref{lastOp[w]}})
		s.emit(task, Event{Exit: "serve", At: "server.go:70"})
		s.emit(task, Event{Op: "end"})
		total += 15
	}
}

// serverEvents returns about n events.
func serverEvents(n int) []*Event {
	var es []*Event
	s := server{rand: rand.New(rand.NewPCG(1, 2)), counts: map[string]int{},
		sink: func(e *Event) { es = append(es, e.Clone()) }}
	s.run(n)
	return es
}

const benchEvents = 200_000

func writeAll(tb testing.TB, w Writer, es []*Event) {
	tb.Helper()
	for _, e := range es {
		if err := w.Write(e); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
}

func benchmarkWrite(b *testing.B, open func(io.Writer) Writer) {
	es := serverEvents(benchEvents)
	var out bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		writeAll(b, open(&out), es)
	}
	report(b, len(es), out.Len())
}

func report(b *testing.B, events, bytes int) {
	b.ReportMetric(float64(bytes)/float64(events), "bytes/event")
	b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}

func benchmarkRead(b *testing.B, open func(io.Writer) Writer) {
	es := serverEvents(benchEvents)
	var out bytes.Buffer
	writeAll(b, open(&out), es)
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(bytes.NewReader(out.Bytes()), "bench")
		if err != nil {
			b.Fatal(err)
		}
		var e Event
		n := 0
		for ; err == nil; n++ {
			err = r.Next(&e)
		}
		if err != io.EOF || n-1 != len(es) {
			b.Fatalf("%d events, %v", n-1, err)
		}
	}
	report(b, len(es), out.Len())
}

func toText(w io.Writer) Writer   { return NewTextWriter(w, serverHeader()) }
func toBinary(w io.Writer) Writer { return NewBinaryWriter(w, serverHeader()) }

func BenchmarkTextWrite(b *testing.B)   { benchmarkWrite(b, toText) }
func BenchmarkTextRead(b *testing.B)    { benchmarkRead(b, toText) }
func BenchmarkBinaryWrite(b *testing.B) { benchmarkWrite(b, toBinary) }
func BenchmarkBinaryRead(b *testing.B)  { benchmarkRead(b, toBinary) }

// BenchmarkPartWrite writes blocks that travel one by one.
func BenchmarkPartWrite(b *testing.B) {
	es := serverEvents(benchEvents / 10)
	for _, events := range []int{1, 100} {
		b.Run(fmt.Sprint(events), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w, _, err := NewPartWriter(serverHeader(), false)
				if err != nil {
					b.Fatal(err)
				}
				for _, e := range es {
					if err := w.Write(e); err != nil {
						b.Fatal(err)
					}
					if w.Events() == events {
						w.Take()
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(es)), "ns/event")
		})
	}
}
