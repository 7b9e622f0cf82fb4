package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/antichain-go/antichain/cmd/antichain/internal/interrupt"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/otlp"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// rekeyFlags are the flags of rekey.
type rekeyFlags struct {
	group    string // --group
	dead     string // --dead-letters
	security kafka.Security
}

func newRekey(s terminal.Streams) *cobra.Command {
	var flags rekeyFlags
	cmd := &cobra.Command{
		Use:   "rekey --group G kafka://BROKER/FROM kafka://BROKER/TO",
		Short: "bring the spans of each trace into one partition",
		Long: `rekey reads messages of OpenTelemetry, which have spans of several traces, and sends the spans of each trace
to another topic with the id of the trace as their key. So all of them are in one partition there, as monitor
--format otlp needs it. The collector does so by itself if its exporter has partition_traces_by_id: true.

Members of a --group share the partitions, and go on where others have stopped. After a crash some spans come
twice, which monitor does not mind while their trace goes on; later they are dead letters there. FROM and TO are topics of one cluster.

rekey goes on until an interrupt (ctrl-C). Exit codes: 0 after an interrupt, 2 for errors.`,
		RunE: func(cmd *cobra.Command, words []string) error { return flags.run(cmd.Context(), s, words) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.group, "group", "", "share the partitions with the other members of a consumer `GROUP`")
	f.StringVar(&flags.dead, "dead-letters", "", "send messages that cannot be read to a `TOPIC` (default that of FROM with -dead behind it)")
	flags.security.Register(f)
	return cmd
}

func (f *rekeyFlags) run(ctx context.Context, s terminal.Streams, words []string) error {
	if len(words) != 2 {
		return errors.New("name two topics: the one that is read, and the one that is written")
	}
	if f.group == "" {
		return errors.New("no --group: rekey needs one to know where it has stopped")
	}
	from, err := kafka.Parse(words[0])
	if err != nil {
		return err
	}
	to, err := kafka.Parse(words[1])
	switch {
	case err != nil:
		return err
	case to.Topic == from.Topic:
		return fmt.Errorf("topic %s cannot be read and written", to.Topic)
	}
	f.dead = cmp.Or(f.dead, from.Topic+"-dead")
	switch snapshots := snapshotTopic(from.Topic, f.group); {
	case f.dead == from.Topic, f.dead == to.Topic, f.dead == snapshots:
		return fmt.Errorf("--dead-letters %s: name a topic of their own", f.dead)
	case !kafka.IsTopic(f.dead):
		return fmt.Errorf("--dead-letters: a topic cannot be named %s: %s", event.Printable(f.dead), kafka.TopicNames)
	case to.Topic == snapshots:
		return fmt.Errorf("topic %s is for the snapshots of the group", to.Topic)
	}
	log, err := newLog(s.Err, "info")
	if err != nil {
		return err
	}
	ctx, stop := interrupt.Context(ctx, syscall.SIGTERM)
	defer stop()
	outbox, err := kafka.OpenOutbox(ctx, to, f.security, 0, log, f.dead)
	if err != nil {
		return err
	}
	defer outbox.Close()
	rejections := &throttle{}
	g, err := kafka.Join(ctx, kafka.GroupConfig{
		Address: from, Security: f.security, Group: f.group, Snapshots: snapshotTopic(from.Topic, f.group),
		New: func(int32, []byte) (kafka.Processor, error) {
			return &rekeyed{outbox: outbox, to: to.Topic, dead: f.dead, log: log, rejections: rejections}, nil
		},
		Log: log, Session: longSession,
	})
	if err != nil {
		return err
	}
	return g.Run()
}

// rekeyed sends the spans of a partition to where the others of their traces are. It has no state.
type rekeyed struct {
	outbox     *kafka.Outbox
	to, dead   string
	log        zerolog.Logger
	rejections *throttle // of all partitions
}

// Take implements kafka.Processor.
func (p *rekeyed) Take(rec *record.Record, _ time.Time) {
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

// put sends spans of one trace, in several messages if they do not fit into one: a batch that was compressed can be much larger than
// what brokers accept.
func (p *rekeyed) put(rec *record.Record, id otlp.TraceID, spans []otlp.Span) {
	switch message := otlp.Encode(spans); {
	case len(message) <= maxMessage:
		p.outbox.Put(p.to, id.String(), message, nil)
	case len(spans) > 1:
		half := len(spans) / 2
		p.put(rec, id, spans[:half])
		p.put(rec, id, spans[half:])
	default:
		p.reject(rec, &event.Error{
			Pos: rec.At, Reason: fmt.Sprintf("span %s of trace %s has %d bytes, more than fit into a message", spans[0].ID, id, len(message)),
			Remedy: "record smaller attributes",
		})
	}
}

// reject sends a message to the dead letters.
func (p *rekeyed) reject(rec *record.Record, err error) {
	p.rejections.line(p.log.Warn()).Str("at", rec.At).Str("error", logged(err.Error())).Str("sent_to", p.dead).Msg("message rejected")
	sendDeadLetter(p.outbox, p.dead, rec, err)
}

func (p *rekeyed) Tick(time.Time) bool             { return false }
func (p *rekeyed) Flush(ctx context.Context) error { return p.outbox.Flush(ctx) }
func (p *rekeyed) State() ([]byte, error)          { return nil, nil }
func (p *rekeyed) Drop()                           {}
