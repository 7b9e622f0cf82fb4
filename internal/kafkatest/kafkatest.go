// Package kafkatest provides tests with a Kafka cluster.
//
// The cluster is a real one if the environment names one, as .ci/kafka start prints it. Otherwise
// it runs in the process of the test, and behaves alike in most respects (kfake). Plain go test
// needs no set-up.
//
//	c := kafkatest.New(t)
//	topic := c.Topic(t, 12)
//	client, err := kgo.NewClient(kgo.SeedBrokers(c.Plaintext...), …)
//
// All tests of a run share a real cluster, so each test creates its own topics and uses its own
// group names. Tests that kill brokers cannot run beside others: packages with such tests run one
// at a time (go test -p 1).
package kafkatest

import (
	"context"
	"crypto/rand"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// A Cluster is one or more brokers with several listeners. Addresses are HOST:PORT, one for each
// broker. Files are PEM, except the password's.
type Cluster struct {
	Plaintext     []string
	SSL           []string // requires a client certificate
	SASLPlaintext []string // takes PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512
	SASLSSL       []string // as SASLPlaintext
	// SSL without client certificates; the broker's certificate is for another host
	WrongName []string
	Expired   []string // SSL without client certificates; the broker's certificate has expired

	CA           string // signed the certificates of the brokers
	OtherCA      string // did not
	Cert, Key    string // of a client
	ExpiredCert  string // for the same key, but expired
	OtherCert    string // for the same key, but signed by OtherCA
	User         string
	PasswordFile string // no newline at its end

	Real    bool // it is Apache Kafka
	brokers brokers
}

// brokers has the operations that differ between a real cluster and a fake one.
type brokers interface {
	createTopic(t testing.TB, name string, partitions int32)
	kill(t testing.TB, numbers ...int)
	restart(t testing.TB, numbers ...int)
}

// variable names the environment variable that selects a real Kafka. Names of the others begin with
// it.
const variable = "ANTICHAIN_KAFKA"

// New returns the Kafka of the environment, or a new one in this process, with one broker, which
// ends with the test.
func New(t testing.TB) *Cluster {
	t.Helper()
	if os.Getenv(variable) == "" {
		return fake(t)
	}
	return environment(t)
}

// Parallel lets a test run at the same time as others, unless they share the Kafka of the
// environment.
func Parallel(t *testing.T) {
	t.Helper()
	if os.Getenv(variable) == "" {
		t.Parallel()
	}
}

// Topic creates a topic that no other test has, with all brokers as replicas.
func (c *Cluster) Topic(t testing.TB, partitions int32) string {
	t.Helper()
	name := "test-" + rand.Text()
	c.brokers.createTopic(t, name, partitions)
	return name
}

// Kill ends brokers, counted from 1, as kill -9 does. The end of the test restarts them if the test
// does not.
func (c *Cluster) Kill(t testing.TB, numbers ...int) {
	t.Helper()
	c.brokers.kill(t, numbers...)
	t.Cleanup(func() { c.brokers.restart(t, numbers...) })
}

// Restart restarts killed brokers, with their addresses and data, and waits until they answer. They
// answer only while most brokers of the cluster run.
func (c *Cluster) Restart(t testing.TB, numbers ...int) {
	t.Helper()
	c.brokers.restart(t, numbers...)
}

// Leader returns the number of the broker that leads a partition.
func (c *Cluster) Leader(t testing.TB, topic string, partition int32) int {
	t.Helper()
	if !c.Real {
		return 1
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(c.Plaintext...))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	topics, err := kadm.NewClient(client).ListTopics(ctx, topic)
	if err != nil {
		t.Fatal(err)
	}
	found, ok := topics[topic].Partitions[partition]
	if !ok || found.Leader < 0 {
		t.Fatalf("partition %d of %s has no leader", partition, topic)
	}
	return int(found.Leader)
}

// script is the .ci/kafka that started a real cluster.
type script struct {
	command, dir string
	plaintext    []string
}

func environment(t testing.TB) *Cluster {
	t.Helper()
	value := func(name string) string {
		v := os.Getenv(variable + name)
		if v == "" {
			t.Fatalf("%s is set, and %s%s is not: both are set by eval \"$(.ci/kafka start)\"", variable,
				variable, name)
		}
		return v
	}
	addresses := func(name string) []string { return strings.Split(value(name), ",") }
	return &Cluster{
		Plaintext:     addresses(""),
		SSL:           addresses("_SSL"),
		SASLPlaintext: addresses("_SASL_PLAINTEXT"),
		SASLSSL:       addresses("_SASL_SSL"),
		WrongName:     addresses("_WRONG_NAME"),
		Expired:       addresses("_EXPIRED"),
		CA:            value("_CA"),
		OtherCA:       value("_OTHER_CA"),
		Cert:          value("_CERT"),
		Key:           value("_KEY"),
		ExpiredCert:   value("_EXPIRED_CERT"),
		OtherCert:     value("_OTHER_CERT"),
		User:          value("_USER"),
		PasswordFile:  value("_PASSWORD_FILE"),
		Real:          true,
		brokers:       script{value("_COMMAND"), value("_DIR"), addresses("")},
	}
}

func (s script) run(t testing.TB, verb string, numbers []int) {
	t.Helper()
	arguments := []string{verb, "--dir", s.dir}
	for _, n := range numbers {
		arguments = append(arguments, strconv.Itoa(n))
	}
	if out, err := exec.Command(s.command, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", s.command, strings.Join(arguments, " "), err, out)
	}
}

func (s script) kill(t testing.TB, numbers ...int) {
	t.Helper()
	s.run(t, "kill", numbers)
}

func (s script) restart(t testing.TB, numbers ...int) {
	t.Helper()
	s.run(t, "restart", numbers)
}

// patience is the time limit for operations that take a broker seconds on a busy machine.
const patience = time.Minute

// createTopic waits until every partition answers, which takes longer than creating the topic and
// electing leaders.
func (s script) createTopic(t testing.TB, name string, partitions int32) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(s.plaintext...), kgo.MetadataMinAge(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	admin := kadm.NewClient(client)
	if _, err := admin.CreateTopic(ctx, partitions, -1, nil, name); err != nil {
		t.Fatalf("topic %s: %v", name, err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if _, err := admin.DeleteTopic(ctx, name); err != nil {
			t.Errorf("topic %s: %v", name, err)
		}
	})
	for {
		ends, err := admin.ListEndOffsets(ctx, name)
		if ctx.Err() != nil {
			t.Fatalf("topic %s: %v, %v", name, err, ends.Error())
		}
		if err == nil && ends.Error() == nil && len(ends[name]) == int(partitions) {
			return
		}
	}
}
