package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/antichain-go/antichain/cmd/antichain/internal/kafkaservice"
	"github.com/antichain-go/antichain/cmd/antichain/internal/logging"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
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
	switch snapshots := kafkaservice.SnapshotTopic(from.Topic, f.group); {
	case f.dead == from.Topic, f.dead == to.Topic, f.dead == snapshots:
		return fmt.Errorf("--dead-letters %s: name a topic of their own", f.dead)
	case !kafka.IsTopic(f.dead):
		return fmt.Errorf("--dead-letters: a topic cannot be named %s: %s", event.Printable(f.dead), kafka.TopicNames)
	case to.Topic == snapshots:
		return fmt.Errorf("topic %s is for the snapshots of the group", to.Topic)
	}
	log, err := logging.New(s.Err, "info")
	if err != nil {
		return err
	}
	return kafkaservice.Rekey(ctx, kafkaservice.RekeyConfig{From: from, To: to, Security: f.security, Group: f.group, DeadLetters: f.dead, Log: log})
}
