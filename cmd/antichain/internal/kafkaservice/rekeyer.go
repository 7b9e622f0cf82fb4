package kafkaservice

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/logging"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// RekeyConfig names the topics that Rekey reads and writes.
type RekeyConfig struct {
	From, To    kafka.Address // topics of one cluster
	Security    kafka.Security
	Group       string // consumer group
	DeadLetters string // topic for unreadable messages
	Log         zerolog.Logger
}

// Rekey copies the spans of each trace to another topic, with the id of the trace as their key,
// until an interrupt.
func Rekey(ctx context.Context, c RekeyConfig) error {
	ctx, stop := interrupt.Context(ctx, syscall.SIGTERM)
	defer stop()
	outbox, err := kafka.OpenOutbox(ctx, c.To, c.Security, 0, c.Log, c.DeadLetters)
	if err != nil {
		return err
	}
	defer outbox.Close()
	rejections := &logging.Throttle{}
	g, err := kafka.Join(ctx, kafka.GroupConfig{
		Address: c.From, Security: c.Security, Group: c.Group, Snapshots: SnapshotTopic(c.From.Topic, c.Group),
		New: func(int32, []byte) (kafka.Processor, error) {
			return &rekeyer{outbox: outbox, to: c.To.Topic, dead: c.DeadLetters, log: c.Log,
				rejections: rejections}, nil
		},
		Log: c.Log, Session: longSession,
	})
	if err != nil {
		return err
	}
	return g.Run()
}

// rekeyer sends the spans of a partition to the partitions of their traces. It has no state.
type rekeyer struct {
	outbox     *kafka.Outbox
	to, dead   string
	log        zerolog.Logger
	rejections *logging.Throttle // of all partitions
}

// Take implements kafka.Processor.
func (p *rekeyer) Take(rec *record.Record, _ time.Time) {
	spans, err := otlp.Decode(rec.Value, otlp.IsJSON(rec.Value))
	if err != nil {
		p.reject(rec, err)
		return
	}
	var order []otlp.TraceID
	byTrace := map[otlp.TraceID][]otlp.Span{}
	for _, s := range spans {
		if byTrace[s.Trace] == nil {
			order = append(order, s.Trace)
		}
		byTrace[s.Trace] = append(byTrace[s.Trace], s)
	}
	for _, id := range order {
		p.put(rec, id, byTrace[id])
	}
}

// put sends spans of one trace. It splits them into several messages if they are too large for one:
// a compressed batch can be much larger than brokers accept.
func (p *rekeyer) put(rec *record.Record, id otlp.TraceID, spans []otlp.Span) {
	switch message := otlp.Encode(spans); {
	case len(message) <= maxMessage:
		p.outbox.Put(p.to, id.String(), message, nil)
	case len(spans) > 1:
		half := len(spans) / 2
		p.put(rec, id, spans[:half])
		p.put(rec, id, spans[half:])
	default:
		p.reject(rec, &event.Error{
			Pos: rec.At, Reason: fmt.Sprintf("span %s of trace %s has %d bytes, more than fit into a message",
				spans[0].ID, id, len(message)),
			Remedy: "record smaller attributes",
		})
	}
}

// reject sends a message to the dead letters.
func (p *rekeyer) reject(rec *record.Record, err error) {
	p.rejections.Line(p.log.Warn()).Str("at", rec.At).Str("error", logging.Shorten(err.Error())).Str("sent_to",
		p.dead).Msg("message rejected")
	sendDeadLetter(p.outbox, p.dead, rec, err)
}

// Tick implements kafka.Processor.
func (p *rekeyer) Tick(time.Time) bool { return false }

// Flush implements kafka.Processor.
func (p *rekeyer) Flush(ctx context.Context) error { return p.outbox.Flush(ctx) }

// State implements kafka.Processor.
func (p *rekeyer) State() ([]byte, error) { return nil, nil }

// Drop implements kafka.Processor.
func (p *rekeyer) Drop() {}
