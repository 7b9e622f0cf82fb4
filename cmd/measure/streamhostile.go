//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Batches that unfold to more than a monitor takes: hostileMiB of zeros. Those of snappy are left
// out: it makes nothing so much smaller that brokers would take it.
const (
	hostileMiB = 1000
	takenMiB   = 256 // what a batch may unfold to: maxBatch of package kafka
)

var hostileCodecs = []struct {
	name  string
	codec kgo.CompressionCodec
}{{"gzip", kgo.GzipCompression()}, {"lz4", kgo.Lz4Compression()}, {"zstd", kgo.ZstdCompression()}}

var hostileHead = table{"compressed by", "unfolds to, MiB", "peak of the monitor, MiB", "without it, MiB", "more by ≤ 1.1 × 256 MiB"}

// hostileTable prints how much memory monitors take that read a batch that unfolds to very much,
// and then go on.
func (s *streamBench) hostileTable() error {
	fmt.Printf("\nA batch that unfolds to more than a monitor takes, and a run behind it.\n\n")
	t := hostileHead.start()
	flush(t)
	without, err := s.hostilePeak(nil)
	if err != nil {
		return err
	}
	for _, c := range hostileCodecs {
		peak, err := s.hostilePeak(&c.codec)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		t.add(c.name, fmt.Sprint(hostileMiB), number(peak), number(without), met(peak-without <= 1.1*takenMiB))
		flush(t)
	}
	return nil
}

// hostilePeak returns the most memory, in MiB, that a monitor has taken when it has read such a
// batch, if there is one, and a run.
func (s *streamBench) hostilePeak(codec *kgo.CompressionCodec) (mib float64, err error) {
	of, err := s.subject()
	if err != nil {
		return 0, err
	}
	defer s.forget(of)
	if codec != nil {
		if err := s.sendHostile(of.topic, *codec); err != nil {
			return 0, err
		}
	}
	p, err := s.monitors(of, 1, "-e", streamProperty)
	if p != nil {
		defer p.end()
	}
	if err != nil {
		return 0, err
	}
	t, err := newTraffic(forms[0], runCalls)
	if err != nil {
		return 0, err
	}
	t.slots, t.each = 1, 1
	for m := range t.all() {
		r := m.toKafka()
		r.Topic = of.topic
		if err := s.client.ProduceSync(context.Background(), r).FirstErr(); err != nil {
			return 0, err
		}
	}
	if _, err := p.next(time.After(patience)); err != nil {
		return 0, err
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.members[0].cmd.Process.Pid))
	return peakOf(status), err
}

// sendHostile sends the batch to the partition of the run.
func (s *streamBench) sendHostile(topic string, codec kgo.CompressionCodec) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	limit := strconv.Itoa(16 << 20)
	if _, err := s.admin.AlterTopicConfigs(ctx, []kadm.AlterConfig{{Name: "max.message.bytes", Value: &limit}}, topic); err != nil {
		return err
	}
	client, err := s.connection(kgo.ProducerBatchCompression(codec), kgo.ProducerBatchMaxBytes(1<<30), kgo.BrokerMaxWriteBytes(1<<30))
	if err != nil {
		return err
	}
	defer client.Close()
	return client.ProduceSync(ctx, &kgo.Record{Topic: topic, Key: []byte("hostile"), Value: make([]byte, hostileMiB<<20)}).FirstErr()
}
