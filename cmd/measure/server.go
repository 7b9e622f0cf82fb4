//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// serverWay is a way to run the server, the client of which is always plain.
type serverWay struct {
	name   string
	words  []string // before the arguments
	said   string   // by the command in the end
	target float64  // most time of a request beside that of the plain server; 0 is no matter
}

// serverWays are the ways, of which the first is what the others are compared to.
func (b *bench) serverWays() []serverWay {
	run := func(flags ...string) []string {
		return append(append([]string{b.path("antichain"), "run"}, flags...), ".")
	}
	spec := filepath.Join(b.root, "cmd/measure/testdata/server.tl")
	const unviolated, holds = "no built-in property is violated", "every property holds"
	return []serverWay{
		{name: "plain", words: []string{b.path("plain")}},
		{name: "antichain run", words: run(), said: unviolated, target: 1.15},
		{name: "with a specification", words: run("--spec", spec), said: holds, target: 1.2},
		{name: "the same, --live", words: run("--live", "--spec", spec), said: holds, target: 1.4},
		{name: "--builtin all", words: run("--builtin", "all"), said: unviolated},
		{name: "-race", words: []string{b.path("race")}},
	}
}

// serverRows are the services: names that testdata/server knows, and requests.
var serverRows = []row{
	{"http", "net/http, 16 clients", 40_000},
	{"grpc", "gRPC, 16 clients", 40_000},
}

// server prints what tracing costs a server under load, on processors that it shares with its
// clients and with antichain.
func server(args []string) error {
	flags := selecting("server", "rows whose names match this `pattern`")
	flags.canBeShort("few requests: to see that everything works")
	if err := flags.parse(args); err != nil {
		return err
	}
	b, err := newServerBench()
	if err != nil {
		return err
	}
	defer b.remove()
	fmt.Printf("Medians of %d, interleaved.\n\n", *flags.count)
	t := serverTable.start()
	flush(t)
	return eachRow(serverRows, nameOf, flags.pattern, func(r *row) error {
		r.n /= flags.divide()
		measured, err := b.serve(*r, *flags.count)
		if err != nil {
			return err
		}
		measured.rows(t)
		flush(t)
		return nil
	})
}

var serverTable = table{"server", "run", "µs a request", "/ plain", "ms, p99", "/ plain",
	"CPU µs, server", "client", "antichain", "all / plain", "antichain, afterwards", "target", "met"}

// newServerBench builds antichain, and the server plainly and with the race detector.
func newServerBench() (*bench, error) {
	return builtBench((*bench).buildAntichain,
		func(b *bench) error { return goBuild(b.serverDir(), "-o", b.path("plain"), ".") },
		func(b *bench) error { return goBuild(b.serverDir(), "-race", "-o", b.path("race"), ".") })
}

// serverDir is a module of its own: antichain does not depend on gRPC.
func (b *bench) serverDir() string { return filepath.Join(b.root, "cmd/measure/testdata/server") }

// servedLoad is what was measured of a service, by way.
type servedLoad struct {
	row
	ways    []serverWay
	samples [][]sample
}

// serve measures a service in all ways, in turn.
func (b *bench) serve(r row, count int) (*servedLoad, error) {
	m := &servedLoad{row: r, ways: b.serverWays()}
	m.samples = make([][]sample, len(m.ways))
	for range count {
		for i, w := range m.ways {
			s, err := b.serveOnce(w, r)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", w.name, err)
			}
			m.samples[i] = append(m.samples[i], s)
		}
	}
	return m, nil
}

func (b *bench) serveOnce(w serverWay, r row) (sample, error) {
	cmd := exec.Command(w.words[0], append(w.words[1:len(w.words):len(w.words)], r.name, b.path("plain"), fmt.Sprint(r.n))...)
	cmd.Dir = b.serverDir()
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // as environ says
	s, said, err := sampleOf(cmd)
	if err != nil {
		return s, err
	}
	if !strings.Contains(said, w.said) || strings.Contains(said, "lost") || strings.Contains(said, "lacks") {
		return s, fmt.Errorf("events are missing, or worse:\n%s", said)
	}
	if w.said == "" {
		s.watched, s.served.meanwhile = 0, 0 // it is the server that was watched
	}
	return s, nil
}

// of is the median over the runs in one way.
func (m *servedLoad) of(way int, get func(sample) float64) float64 {
	var all []float64
	for _, s := range m.samples[way] {
		all = append(all, get(s))
	}
	return median(all)
}

// meanwhile is the processor time that antichain took for a request while requests came, in ns, and
// afterwards what it took when the server had ended.
func meanwhile(s sample) float64 {
	return s.served.meanwhile * float64(time.Second) / s.served.requests
}

func afterwards(s sample) float64 {
	return s.watched*float64(time.Second)/s.served.requests - meanwhile(s)
}

// everything is the processor time that a request takes of the processors that serve requests, in
// ns.
func everything(s sample) float64 { return s.cpu + s.served.client + meanwhile(s) }

func (m *servedLoad) rows(t *tableText) {
	p99 := func(s sample) float64 { return s.served.p99 }
	cpu := func(s sample) float64 { return s.cpu }
	client := func(s sample) float64 { return s.served.client }
	for i, w := range m.ways {
		title := m.title
		if i > 0 {
			title = ""
		}
		slower := m.of(i, own) / m.of(0, own)
		target, met := "-", ""
		if w.target > 0 {
			target, met = fmt.Sprintf("≤ %.2f", w.target), "no"
			if slower <= w.target {
				met = "yes"
			}
		}
		t.add(title, w.name, number(m.of(i, own)/1e3), ratio(m.of(i, own), m.of(0, own)), number(m.of(i, p99)/1e6), ratio(m.of(i, p99), m.of(0, p99)),
			number(m.of(i, cpu)/1e3), number(m.of(i, client)/1e3), number(m.of(i, meanwhile)/1e3),
			ratio(m.of(i, everything), m.of(0, everything)), number(m.of(i, afterwards)/1e3), target, met)
	}
}
