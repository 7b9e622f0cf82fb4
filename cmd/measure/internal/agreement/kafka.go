//go:build unix

package agreement

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/antichain-go/antichain/internal/findingset"
)

// cluster is a Kafka.
type cluster struct {
	name    string
	brokers []string
	client  *kgo.Client
	fake    *kfake.Cluster // nil if it is a real one
}

// connect starts a fake Kafka in this process, and connects to that and to the real one, if there
// is one.
func (c *comparison) connect() error {
	fake, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.GroupMinSessionTimeout(500*time.Millisecond))
	if err != nil {
		return err
	}
	c.kafkas = []*cluster{{name: "fake Kafka", brokers: fake.ListenAddrs(), fake: fake}}
	if c.kafka != "" {
		c.kafkas = append(c.kafkas, &cluster{name: "Apache Kafka", brokers: strings.Split(c.kafka, ",")})
	}
	for _, k := range c.kafkas {
		if k.client, err = kgo.NewClient(kgo.SeedBrokers(k.brokers...), kgo.MetadataMinAge(100*time.Millisecond)); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) disconnect() {
	for _, k := range c.kafkas {
		if k.client != nil {
			k.client.Close()
		}
		if k.fake != nil {
			k.fake.Close()
		}
	}
}

// topic makes a topic, and waits until every partition answers.
func (c *comparison) topic(ctx context.Context, k *cluster) (string, error) {
	const partitions = 6
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	c.topics++
	name := fmt.Sprintf("agreement-%d-%d", os.Getpid(), c.topics)
	admin := kadm.NewClient(k.client)
	if _, err := admin.CreateTopic(ctx, partitions, -1, nil, name); err != nil {
		return "", err
	}
	for {
		ends, err := admin.ListEndOffsets(ctx, name)
		if err == nil && ends.Error() == nil && len(ends[name]) == partitions {
			return name, nil
		}
		if ctx.Err() != nil {
			return "", fmt.Errorf("topic %s: %w", name, ctx.Err())
		}
	}
}

// forget removes a topic, its group and what that has made, which need not work.
func (k *cluster) forget(topic string) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	admin := kadm.NewClient(k.client)
	_, _ = admin.DeleteTopics(ctx, topic, topic+"-"+topic+"-snapshots", topic+"-dead")
	_, _ = admin.DeleteGroups(ctx, topic)
}

// address is what a topic is called on a command line.
func (k *cluster) address(topic string) string {
	return "kafka://" + strings.Join(k.brokers, ",") + "/" + topic
}

// onTopic sends the traces of runs to a topic by antichain send, and lets a monitor read it.
func (c *comparison) onTopic(ctx context.Context, k *cluster, g *group, runs []*run) error {
	if len(runs) == 0 {
		return nil
	}
	topic, err := c.topic(ctx, k)
	if err != nil {
		return err
	}
	defer k.forget(topic)
	for _, r := range runs {
		if err := command(ctx, c.antichain, "send", "--events", "40", "--run-id", r.id, r.trace, k.address(topic)); err != nil {
			return err
		}
	}
	said, err := c.reports(ctx, 10*time.Minute, g, nil, "monitor", slices.Concat(checkAll, g.flags, []string{"--keep-going", "--until-eof", k.address(topic)})...)
	if err != nil {
		return err
	}
	note(runs, k.name, said)
	return nil
}

// note keeps what a way has said of the runs of a topic.
func note(runs []*run, way string, said []*findingset.Report) {
	for _, r := range runs {
		for _, l := range said {
			if l.Run == r.id {
				r.by[way] = append(r.by[way], l)
			}
		}
	}
}
