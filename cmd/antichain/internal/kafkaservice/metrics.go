package kafkaservice

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/antichain-go/antichain/internal/runs"
	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/spec"
)

// verdictMetrics counts verdicts on runs.
type verdictMetrics struct {
	verdicts *prometheus.CounterVec // by property and verdict
	delay    prometheus.Histogram   // from a record to the verdicts it leads to
}

func newVerdictMetrics(properties []*spec.Property, checked []builtin.Property) verdictMetrics {
	m := verdictMetrics{
		prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "antichain_verdicts_total",
			Help: "Verdicts on properties of runs: violated, holds or unknown, and possible for built-in ones. Of a run that is broken the verdict is error, without a property.",
		}, []string{"property", "verdict"}),
		prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "antichain_verdict_delay_seconds",
			Help:    "Time from the timestamp of a record to the verdict that it has led to. Clocks of producers may be wrong.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 16), // up to half a minute
		}),
	}
	var names []string
	for _, p := range properties {
		names = append(names, p.Name)
	}
	for _, p := range checked {
		names = append(names, string(p))
	}
	for _, name := range names { // then the first verdict is an increase
		for _, v := range []tlcheck.Verdict{tlcheck.Violated, tlcheck.Possible, tlcheck.Holds, tlcheck.Unknown} {
			m.verdicts.WithLabelValues(name, v.String())
		}
	}
	m.verdicts.WithLabelValues("", verdictError)
	return m
}

// observe counts a verdict on a run.
func (m verdictMetrics) observe(r *runs.Run, property, verdict string, now time.Time) {
	m.verdicts.WithLabelValues(property, verdict).Inc()
	if written := r.Written(); !written.IsZero() {
		m.delay.Observe(max(0, now.Sub(written).Seconds()))
	}
}

// metric is a number of a service. It has one value, or one for each partition.
type metric struct {
	*prometheus.Desc
	kind prometheus.ValueType
}

func counter(name, help string, labels ...string) metric {
	return metric{prometheus.NewDesc(name, help, labels, nil), prometheus.CounterValue}
}

func gauge(name, help string, labels ...string) metric {
	return metric{prometheus.NewDesc(name, help, labels, nil), prometheus.GaugeValue}
}

var (
	recordsRead     = counter("antichain_records_total", "Records read.")
	recordsRepeated = counter("antichain_records_repeated_total", "Records that had come before, and were skipped.")
	recordsIgnored  = counter("antichain_records_ignored_total", "Records of runs that are broken, and were skipped.")
	recordsRejected = counter("antichain_records_rejected_total",
		"Records that cannot be read. They go to the topic of dead letters, if there is one.")
	eventsRead   = counter("antichain_events_total", "Events read.")
	runsEnded    = counter("antichain_runs_ended_total", "Runs that are over, or were cut off.")
	runsFailed   = counter("antichain_runs_failed_total", "Runs that are broken.")
	runsLive     = gauge("antichain_runs_live", "Runs that go on.")
	runsBytes    = gauge("antichain_runs_memory_bytes", "Memory of the runs that go on, roughly.")
	largestBytes = gauge("antichain_largest_run_memory_bytes", "Memory of the largest run that goes on, roughly.")
	runsPast     = gauge("antichain_runs_remembered",
		"Runs that are over and remembered: records of them that come again are recognised.")
	pastBytes = gauge("antichain_runs_remembered_memory_bytes",
		"Memory of the runs that are over and remembered, roughly.")
	memoryLimit = gauge("antichain_memory_limit_bytes", "The limit of --memory for the process; 0 if there is none.")

	rebalances = counter("antichain_rebalances_total", "Generations of the group that this member has taken part in.")
	generation = gauge("antichain_group_generation", "Present generation of the group.")
	connected  = gauge("antichain_brokers_reachable", "Whether a broker answers: 1 or 0.")

	verdictsOfPartition = counter("antichain_partition_verdicts_total",
		"Verdicts on runs of a partition, those of former owners included. One that is repeated after a crash counts once.",
		"partition", "verdict")
	lag = gauge("antichain_partition_lag_records",
		"Records of a partition that wait in the topic.", "partition")
	queuedBytes = gauge("antichain_partition_queued_bytes",
		"Memory of the records of a partition that are read and wait to be checked.", "partition")
	nextOffset  = gauge("antichain_partition_next_offset", "Offset of the next record of a partition.", "partition")
	lostRecords = counter("antichain_partition_lost_records_total",
		"Records of a partition that were never read: the topic has deleted them before, or they unfold to too much.", "partition")
	checkpointAge = gauge("antichain_partition_checkpoint_age_seconds",
		"How long ago the first of the records was read that are in no snapshot of a partition; 0 if there are none.", "partition")
	checkpointTime = gauge("antichain_partition_checkpoint_duration_seconds",
		"How long the last snapshot of a partition took to save, or to load.", "partition")
	snapshotBytes = gauge("antichain_partition_snapshot_bytes",
		"Size of the last snapshot of a partition.", "partition")
)

var (
	aboutTopic = []metric{
		recordsRead, recordsRepeated, recordsIgnored, recordsRejected, eventsRead, runsEnded, runsFailed,
		runsLive, runsBytes,
		largestBytes, runsPast, pastBytes, memoryLimit, verdictsOfPartition, connected, lag, nextOffset,
	}
	aboutGroup = []metric{
		rebalances, generation, lostRecords, queuedBytes, checkpointAge, checkpointTime, snapshotBytes,
	}
)

// collector reads the numbers of a service when Prometheus scrapes them.
type collector struct{ service *service }

// Describe implements prometheus.Collector.
func (c collector) Describe(all chan<- *prometheus.Desc) {
	for _, m := range aboutTopic {
		all <- m.Desc
	}
	if c.service.config.Group == "" {
		return
	}
	for _, m := range aboutGroup {
		all <- m.Desc
	}
}

// Collect implements prometheus.Collector.
func (c collector) Collect(all chan<- prometheus.Metric) {
	put := func(m metric, value float64, labels ...string) {
		all <- prometheus.MustNewConstMetric(m.Desc, m.kind, value, labels...)
	}
	s := c.service.runStats()
	for m, n := range map[metric]int64{
		recordsRead: s.Records, recordsRepeated: s.Repeated, recordsIgnored: s.Ignored, recordsRejected: s.Dropped,
		eventsRead: s.Events, runsEnded: s.Ended, runsFailed: s.Failed,
		runsLive: int64(s.Live), runsBytes: int64(s.Bytes), largestBytes: int64(s.Largest),
		runsPast: int64(s.Past), pastBytes: int64(s.PastBytes), memoryLimit: c.service.config.Memory,
	} {
		put(m, float64(n))
	}
	for partition, said := range c.service.verdicts() {
		for verdict, n := range said {
			put(verdictsOfPartition, float64(n), strconv.Itoa(int(partition)), verdict)
		}
	}
	read, begun := c.service.readStats()
	if !begun {
		put(connected, 0)
		return
	}
	put(connected, oneIf(read.Silent == ""))
	group := c.service.config.Group != ""
	if group {
		put(rebalances, float64(read.Rebalances))
		put(generation, float64(read.Generation))
	}
	now := time.Now()
	for _, p := range read.Partitions {
		label := strconv.Itoa(int(p.Partition))
		put(lag, float64(p.Lag), label)
		if p.Next >= 0 {
			put(nextOffset, float64(p.Next), label)
		}
		if group {
			put(lostRecords, float64(p.Lost), label)
			put(queuedBytes, float64(p.Queued), label)
			put(checkpointAge, secondsSince(p.UnsavedSince, now), label)
			put(checkpointTime, p.SnapshotTime.Seconds(), label)
			put(snapshotBytes, float64(p.Snapshot), label)
		}
	}
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// secondsSince returns the time since t; 0 if t is zero.
func secondsSince(t, now time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return now.Sub(t).Seconds()
}

// newRegistry returns a registry with all metrics of a service.
func newRegistry(s *service) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(
		collector{s}, s.out.metrics.verdicts, s.out.metrics.delay,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return r
}
