package main

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/delivery"
	"github.com/antichain-go/antichain/cmd/antichain/internal/help"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newKafkaTopic is "antichain help kafka".
func newKafkaTopic() *cobra.Command {
	sink := help.Flags(func(flags *pflag.FlagSet) {
		new(delivery.SinkFlags).Register(flags)
		delivery.RegisterRunID(flags, new(string))
	})
	return &cobra.Command{Use: "kafka", Short: "the flags for topics of Kafka", Long: `run and test send a trace to a topic while the program runs, send does so with files, and monitor
checks the runs of a topic as they come in.

    antichain run --to kafka://broker1/traces ./cmd/server
    antichain monitor --group checkers --spec server.tl kafka://broker1/traces

Of run and test:
` + sink + `
Of monitor, with --kafka-… as above:
` + help.Flags(new(topicFlags).register, topicFlagNames...)}
}
