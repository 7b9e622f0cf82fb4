//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// streamBroker is the name under which the command calls itself to be a fake Kafka.
const streamBroker = "stream-broker"

// runBroker is that Kafka. It ends with its standard input.
func runBroker(in io.Reader, out io.Writer) error {
	// As .ci/kafka has it, so that a member may be missed after three seconds.
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.GroupMinSessionTimeout(500*time.Millisecond))
	if err != nil {
		return err
	}
	defer c.Close()
	fmt.Fprintln(out, c.ListenAddrs()[0])
	_, err = io.Copy(io.Discard, in)
	return err
}

// streamPartitions is how many partitions a topic has.
const streamPartitions = 12

// patience is how long brokers and monitors may take for anything.
const patience = 5 * time.Minute

// cluster is a Kafka.
type cluster struct {
	about   string
	brokers string // joined by commas
	client  *kgo.Client
	admin   *kadm.Client
	topics  int       // made so far
	stop    io.Closer // of the fake one; nil if it is another
	fake    *exec.Cmd
}

// connect connects to a Kafka, or starts one if none is named.
func (s *streamBench) connect(brokers string) error {
	c := &cluster{about: "A Kafka at " + brokers, brokers: brokers}
	if brokers == "" {
		c.about = "A fake Kafka"
		if err := c.start(); err != nil {
			return err
		}
	}
	var err error
	c.client, err = c.connection()
	if err != nil {
		return err
	}
	c.admin = kadm.NewClient(c.client)
	s.cluster = c
	return nil
}

// start starts a fake Kafka.
func (c *cluster) start() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c.fake = exec.Command(self, streamBroker)
	c.fake.Stderr = os.Stderr
	if c.stop, err = c.fake.StdinPipe(); err != nil {
		return err
	}
	stdout, err := c.fake.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.fake.Start(); err != nil {
		return err
	}
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the fake Kafka does not say where it is: %w", err)
	}
	c.brokers = strings.TrimSpace(address)
	return nil
}

func (c *cluster) disconnect() {
	c.client.Close()
	if c.fake == nil {
		return
	}
	c.stop.Close()
	if err := c.fake.Wait(); err != nil {
		fmt.Fprintln(os.Stderr, "measure: the fake Kafka:", err)
	}
}

// connection returns a client that sends records as the monitors' producers do, but to the
// partitions that they name.
func (c *cluster) connection(more ...kgo.Opt) (*kgo.Client, error) {
	return kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(strings.Split(c.brokers, ",")...),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.ZstdCompression(), kgo.NoCompression()),
	}, more...)...)
}

// subject is a topic that is read, and what belongs to it.
type subject struct {
	topic, group, verdicts string
}

// subject makes topics.
func (c *cluster) subject() (subject, error) {
	c.topics++
	topic := fmt.Sprintf("measure-%d-%d", os.Getpid(), c.topics)
	s := subject{topic, topic + "-group", topic + "-verdicts"}
	for name, partitions := range map[string]int32{s.topic: streamPartitions, s.verdicts: 1} {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if _, err := c.admin.CreateTopic(ctx, partitions, -1, nil, name); err != nil {
			return s, fmt.Errorf("topic %s: %w", name, err)
		}
	}
	return s, nil
}

// address returns what the topic that is read is called on a command line.
func (c *cluster) address(of subject) string { return "kafka://" + c.brokers + "/" + of.topic }

// forget removes them, which need not work.
func (c *cluster) forget(s subject) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, _ = c.admin.DeleteTopics(ctx, s.topic, s.verdicts, s.topic+"-"+s.group+"-snapshots", s.topic+"-dead")
	_, _ = c.admin.DeleteGroups(ctx, s.group)
}

// balanced waits until a group has so many members, and each its share of the partitions.
func (c *cluster) balanced(group string, members int) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		groups, err := c.admin.DescribeGroups(ctx, group)
		if err == nil && isBalanced(groups[group], members) {
			return nil
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("no group of %d members, but %v: %w", members, groups[group], err)
		}
	}
}

func isBalanced(g kadm.DescribedGroup, members int) bool {
	if g.State != "Stable" || len(g.Members) != members {
		return false
	}
	for _, m := range g.Members {
		assigned, ok := m.Assigned.AsConsumer()
		n := 0
		for i := 0; ok && i < len(assigned.Topics); i++ {
			n += len(assigned.Topics[i].Partitions)
		}
		if n != streamPartitions/members {
			return false
		}
	}
	return true
}

// gate holds back what is sent to a topic until it is opened: a transaction. So members can have
// joined and wait when the first record comes, and nobody sends while they work.
type gate struct{ client *kgo.Client }

// fill sends records that are held back.
func (c *cluster) fill(topic string, send func(put func(*kgo.Record)) error) (*gate, error) {
	client, err := c.connection(kgo.TransactionalID(topic), kgo.TransactionTimeout(10*time.Minute))
	if err != nil {
		return nil, err
	}
	g := &gate{client}
	if err := client.BeginTransaction(); err != nil {
		g.close()
		return nil, err
	}
	promise := kgo.AbortingFirstErrPromise(client)
	err = send(func(r *kgo.Record) {
		r.Topic = topic
		client.Produce(context.Background(), r, promise.Promise())
	})
	if err == nil {
		err = promise.Err()
	}
	if err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

func (g *gate) open() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return g.client.EndTransaction(ctx, kgo.TryCommit)
}

func (g *gate) close() { g.client.Close() }
