package scripts

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// broker is the script command "broker [--password PASSWORD] [--hold FILE] TOPIC…": a broker of
// Kafka with these topics, whose address becomes the variable KAFKA. User alice logs in with
// SCRAM-SHA-256 and the password, if there is one. No record is taken before the file is there.
func broker(ts *testscript.TestScript, neg bool, args []string) {
	opts := []kfake.Opt{kfake.NumBrokers(1)}
	var file string
	for len(args) > 1 && strings.HasPrefix(args[0], "--") {
		switch args[0] {
		case "--password":
			opts = append(opts, kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-256", "alice", args[1]))
		case "--hold":
			file = ts.MkAbs(args[1])
		}
		args = args[2:]
	}
	if neg || len(args) == 0 {
		ts.Fatalf("usage: broker [--password PASSWORD] [--hold FILE] TOPIC…")
	}
	c, err := kfake.NewCluster(append(opts, kfake.SeedTopics(3, args...))...)
	ts.Check(err)
	ts.Defer(c.Close)
	if file != "" {
		over := make(chan struct{})
		ts.Defer(func() { close(over) })
		hold(c, file, over)
	}
	ts.Setenv("KAFKA", c.ListenAddrs()[0])
}

// hold keeps a broker from taking records before a file is there, or all is over.
func hold(c *kfake.Cluster, file string, over <-chan struct{}) {
	c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		c.SleepControl(func() {
			for {
				if _, err := os.Stat(file); err == nil {
					return
				}
				select {
				case <-over:
					return
				case <-time.After(time.Millisecond):
				}
			}
		})
		return nil, nil, false
	})
}

// received is the script command "received TOPIC N DIR": the first N records of a topic are written
// into files DIR/RUN@SOURCE,SEQ, with the events as text, how many sources there are, and what ends
// there. With N "end" these are all up to the first one at which a source ends.
func received(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: received TOPIC N DIR")
	}
	n := math.MaxInt
	if args[1] != "end" {
		_, err := fmt.Sscan(args[1], &n)
		ts.Check(err)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(ts.Getenv("KAFKA")), kgo.ConsumeTopics(args[0]), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	ts.Check(err)
	defer client.Close()
	dir := ts.MkAbs(args[2])
	ts.Check(os.MkdirAll(dir, 0o700))
	ctx, stop := context.WithTimeout(context.Background(), time.Minute) // a script that is wrong ends
	defer stop()
	for n > 0 {
		fetches := client.PollFetches(ctx)
		ts.Check(fetches.Err())
		for r := range fetches.RecordsAll() {
			end, err := writeRecord(dir, r)
			ts.Check(err)
			if n--; end && args[1] == "end" {
				n = 0
			}
		}
	}
}

func writeRecord(dir string, message *kgo.Record) (end bool, err error) {
	r := &record.Record{Run: string(message.Key), Value: message.Value}
	var headers []record.Header
	for _, h := range message.Headers {
		headers = append(headers, record.Header{Key: h.Key, Value: h.Value})
	}
	if err := r.SetHeaders(headers); err != nil {
		return false, err
	}
	var text []byte
	reader := event.NewPartReader(event.Limits{})
	h, err := reader.Open(r.Value, "record")
	if err != nil {
		return false, err
	}
	if h != nil {
		text = fmt.Appendf(text, "header %s %s\n", h.Run, h.Tasks)
	}
	var e event.Event
	for reader.Next(&e) == nil {
		text = append(event.AppendText(text, &e), '\n')
	}
	if r.Sources > 0 {
		text = fmt.Appendf(text, "sources %d\n", r.Sources)
	}
	if r.End != 0 {
		text = fmt.Appendf(text, "end %v\n", r.End)
	}
	name := strings.ReplaceAll(fmt.Sprintf("%s@%s,%d", r.Run, r.Source, r.Seq), "/", "_")
	return r.End != 0, os.WriteFile(filepath.Join(dir, name), text, 0o600)
}

// produce is the script command "produce TOPIC[/PARTITION] KEY FILE [HEADER=VALUE…]": a record with
// that value. Its key says in which partition, if nothing else does.
func produce(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: produce TOPIC[/PARTITION] KEY FILE [HEADER=VALUE…]")
	}
	opts := []kgo.Opt{kgo.SeedBrokers(ts.Getenv("KAFKA"))}
	r := &kgo.Record{Key: []byte(args[1]), Value: []byte(ts.ReadFile(args[2]))}
	for _, header := range args[3:] {
		key, value, _ := strings.Cut(header, "=")
		r.Headers = append(r.Headers, kgo.RecordHeader{Key: key, Value: []byte(value)})
	}
	name, partition, given := strings.Cut(args[0], "/")
	if r.Topic = name; given {
		_, err := fmt.Sscan(partition, &r.Partition)
		ts.Check(err)
		opts = append(opts, kgo.RecordPartitioner(kgo.ManualPartitioner()))
	}
	client, err := kgo.NewClient(opts...)
	ts.Check(err)
	defer client.Close()
	ts.Check(client.ProduceSync(context.Background(), r).FirstErr())
}

// letters is the script command "letters TOPIC N FILE": the first N records of a topic are written
// into a file, each with its key and its headers above the value.
func letters(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: letters TOPIC N FILE")
	}
	var n int
	_, err := fmt.Sscan(args[1], &n)
	ts.Check(err)
	client, err := kgo.NewClient(
		kgo.SeedBrokers(ts.Getenv("KAFKA")), kgo.ConsumeTopics(args[0]), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.UnknownTopicRetries(-1), kgo.MetadataMinAge(100*time.Millisecond), // somebody is to make it
	)
	ts.Check(err)
	defer client.Close()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute) // a script that is wrong ends
	defer stop()
	var text strings.Builder
	for n > 0 {
		fetches := client.PollFetches(ctx)
		ts.Check(fetches.Err())
		for r := range fetches.RecordsAll() {
			n--
			fmt.Fprintf(&text, "key: %s\n", r.Key)
			for _, h := range r.Headers {
				fmt.Fprintf(&text, "%s: %s\n", h.Key, h.Value)
			}
			fmt.Fprintf(&text, "%s\n", r.Value)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text.String()), 0o600))
}
