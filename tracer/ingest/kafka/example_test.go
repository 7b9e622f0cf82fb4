package kafka_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
)

// A program ships its own trace: it writes events as they happen, and says when they have ended.
func ExampleSink() {
	broker := startBroker("traces")
	defer broker.Close()

	to, err := kafka.Parse("kafka://" + broker.ListenAddrs()[0] + "/traces")
	if err != nil {
		log.Fatal(err)
	}
	var security kafka.Security // TLS and logins are set here
	sink, err := kafka.NewSink(context.Background(), to, security, "order 4711", "shop",
		&event.Header{Tasks: []string{"main"}}, kafka.Options{
			Warn: func(text string) { fmt.Fprintln(os.Stderr, "warning:", text) },
		})
	if err != nil {
		log.Fatal(err) // for example since no broker answers
	}
	if err := sink.SetSources(1); err != nil { // this is the only source of events of this order
		log.Fatal(err)
	}
	for _, state := range []string{"ordered", "paid", "sent"} {
		e := event.Event{Task: "main", Set: []event.Binding{{Name: "state", Value: event.StringValue(state)}}}
		if err := sink.Write(&e); err != nil {
			log.Fatal(err) // what was written before has not been delivered
		}
	}
	if err := sink.Close(); err != nil { // waits until brokers have it all
		log.Fatal(err)
	}
	fmt.Println("delivered")
	// Output: delivered
}

func startBroker(topic string) *kfake.Cluster {
	broker, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(12, topic))
	if err != nil {
		log.Fatal(err)
	}
	return broker
}
