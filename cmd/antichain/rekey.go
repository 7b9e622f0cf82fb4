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

type rekeyFlags struct {
	group    string // --group
	dead     string // --dead-letters
	security kafka.Security
}

func newRekey(s terminal.Streams) *cobra.Command {
	var flags rekeyFlags
	cmd := &cobra.Command{
		Use:   "rekey --group G kafka://BROKER/FROM kafka://BROKER/TO",
		Short: "send the OpenTelemetry spans of each trace to one partition",
		RunE:  func(cmd *cobra.Command, words []string) error { return flags.run(cmd.Context(), s, words) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.group, "group", "", "share the partitions with the other members of a consumer `GROUP`")
	f.StringVar(&flags.dead, "dead-letters", "", "send messages that cannot be read to a `TOPIC` (default FROM-dead)")
	flags.security.Register(f)
	return cmd
}

func (f *rekeyFlags) run(ctx context.Context, s terminal.Streams, words []string) error {
	if len(words) != 2 {
		return errors.New("name two topics: FROM, which is read, and TO, which is written")
	}
	if f.group == "" {
		return errors.New("no --group given: rekey needs one to continue where it stopped")
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
		return fmt.Errorf("topic %s is both FROM and TO: name two topics", to.Topic)
	}
	f.dead = cmp.Or(f.dead, from.Topic+"-dead")
	switch snapshots := kafkaservice.SnapshotTopic(from.Topic, f.group); {
	case f.dead == from.Topic, f.dead == to.Topic, f.dead == snapshots:
		return fmt.Errorf("--dead-letters %s: this topic is in use already; name another one", f.dead)
	case !kafka.IsTopic(f.dead):
		return fmt.Errorf("--dead-letters: invalid topic name %s: %s", event.Printable(f.dead), kafka.TopicNames)
	case to.Topic == snapshots:
		return fmt.Errorf("topic %s holds the snapshots of the group: name another one", to.Topic)
	}
	log, err := logging.New(s.Err, "info")
	if err != nil {
		return err
	}
	return kafkaservice.Rekey(ctx, kafkaservice.RekeyConfig{From: from, To: to, Security: f.security, Group: f.group, DeadLetters: f.dead, Log: log})
}
