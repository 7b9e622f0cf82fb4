package kafkaservice

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/antichain-go/antichain/tracer/ingest/kafka"
)

// serve answers requests at HOST:PORT until the returned function is called: /metrics for
// Prometheus, /healthz and /readyz for process supervisors.
func (s *service) serve(ctx context.Context, address string) (stop func(), err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: write HOST:PORT, as 127.0.0.1:9464; port 0 is a free one", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: %w", address, err)
	}
	at := l.Addr().(*net.TCPAddr)
	if !at.IP.IsLoopback() {
		s.log.Warn().Stringer("address", at).Msg("the metrics need no login: anyone who can reach this address can read them")
	}
	s.log.Info().Str("url", "http://"+at.String()+"/metrics").Msg("serving metrics")
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(newRegistry(s), promhttp.HandlerOpts{MaxRequestsInFlight: 8}))
	mux.Handle("GET /healthz", answerHandler(func() (string, bool) { return s.healthy(time.Now()) }))
	mux.Handle("GET /readyz", answerHandler(func() (string, bool) { return s.ready(ctx) }))
	server := &http.Server{Handler: mux, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second,
		MaxHeaderBytes: 16 << 10}
	go server.Serve(l)
	return func() { server.Close() }, nil
}

// answerHandler returns a handler that answers yes or no, with the reason.
func answerHandler(ask func() (why string, yes bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		why, yes := ask()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		if !yes {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		fmt.Fprintln(w, why)
	})
}

// stuckAfter is how long the same records may take before the process counts as stuck. Checks of
// properties at the end of a run have a limit of their own.
const stuckAfter = time.Minute

// healthy reports whether the process works. Unreachable brokers are no reason to restart it.
func (s *service) healthy(now time.Time) (why string, yes bool) {
	limit := stuckAfter
	if s.monitor.Postpone || s.config.Format != nil {
		limit += s.monitor.Options.Time
	}
	stats, _ := s.readStats()
	for _, p := range stats.Partitions {
		if p.Busy.IsZero() {
			continue
		}
		if d := now.Sub(p.Busy); d > limit {
			return fmt.Sprintf("partition %d has worked on the same records for %v", p.Partition,
				d.Round(time.Second)), false
		}
	}
	return "works", true
}

// ready reports whether this member reads records, or others do.
func (s *service) ready(ctx context.Context) (why string, yes bool) {
	stats, begun := s.readStats()
	switch {
	case ctx.Err() != nil:
		return "shutting down", false
	case !begun:
		return "not connected to the brokers yet", false
	case stats.Silent != "":
		return "no broker answers: " + stats.Silent, false
	case s.config.Group == "":
		return fmt.Sprintf("reads %d partitions", len(stats.Partitions)), true
	case !stats.Joined:
		return "not a member of the group yet, or again", false
	case len(stats.Partitions) == 0:
		return fmt.Sprintf("a member of the group, generation %d, without partitions: there are more members than partitions", stats.Generation), true
	}
	return describe(stats)
}

// describe names the partitions of a member, and reports whether it works on all of them.
func describe(stats kafka.Stats) (why string, yes bool) {
	var have, loading []string
	for _, p := range stats.Partitions {
		have = append(have, fmt.Sprint(p.Partition))
		if !p.Loaded {
			loading = append(loading, fmt.Sprint(p.Partition))
		}
	}
	if len(loading) > 0 {
		return "loading the snapshots of partitions " + strings.Join(loading, " "), false
	}
	return fmt.Sprintf("a member of the group, generation %d, with partitions %s", stats.Generation,
		strings.Join(have, " ")), true
}
