package kafka_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/antichain-go/antichain/internal/kafkatest"
	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// These tests are as good as the brokers: .ci/kafka starts real ones.

const (
	realRuns    = 10
	realRecords = 1000 // of all runs
)

// bounded is for what takes seconds at most.
func bounded(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// sendNumbers sends the records from first until end, in turns of all runs.
func sendNumbers(t *testing.T, p *kafka.Producer, first, end int) {
	t.Helper()
	for i := first; i < end; i++ {
		r := &record.Record{Run: fmt.Sprint("run ", i%realRuns), Source: "test", Seq: uint64(i/realRuns) + 1,
			Value: strconv.AppendInt(nil, int64(i), 10)}
		if err := p.Send(r); err != nil {
			t.Fatal(err)
		}
	}
}

// checkNumbers reads the topic, which holds the records below end: each once, and those of a run in
// their order.
func checkNumbers(t *testing.T, to kafka.Address, security kafka.Security, end int) {
	t.Helper()
	ctx := bounded(t)
	client, err := kgo.NewClient(append(theirOptions(t, security), kgo.SeedBrokers(to.Brokers...),
		kgo.ConsumeTopics(to.Topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchMaxWait(100*time.Millisecond))...)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	left := size(t, client, to.Topic)
	if left != end {
		t.Errorf("the topic has %d records, not %d", left, end)
	}
	next := map[string]int{}
	for i := range realRuns {
		next[fmt.Sprint("run ", i)] = i
	}
	for left > 0 {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err0(); err != nil {
			t.Fatalf("%d records to come: %v", left, err)
		}
		for r := range fetches.RecordsAll() {
			left--
			run := string(r.Key)
			if want := strconv.Itoa(next[run]); string(r.Value) != want {
				t.Errorf("%s: record %s instead of %s", run, r.Value, want)
			}
			next[run] += realRuns
		}
	}
}

// theirOptions returns what these settings are in another library.
func theirOptions(t *testing.T, s kafka.Security) (options []kgo.Opt) {
	t.Helper()
	if s.CA != "" {
		options = append(options, kgo.DialTLSConfig(theirTLS(t, s)))
	}
	if s.SASL == "" {
		return options
	}
	password, err := os.ReadFile(s.PasswordFile)
	if err != nil {
		t.Fatal(err)
	}
	login := scram.Auth{User: s.User, Pass: string(password)}
	return append(options, kgo.SASL(map[string]sasl.Mechanism{
		"plain":         plain.Auth{User: s.User, Pass: string(password)}.AsMechanism(),
		"scram-sha-256": login.AsSha256Mechanism(),
		"scram-sha-512": login.AsSha512Mechanism(),
	}[s.SASL]))
}

func theirTLS(t *testing.T, s kafka.Security) *tls.Config {
	t.Helper()
	config := &tls.Config{ServerName: s.ServerName, RootCAs: x509.NewCertPool()}
	ca, err := os.ReadFile(s.CA)
	if err != nil || !config.RootCAs.AppendCertsFromPEM(ca) {
		t.Fatalf("%s: %v", s.CA, err)
	}
	if s.Cert != "" {
		pair, err := tls.LoadX509KeyPair(s.Cert, s.Key)
		if err != nil {
			t.Fatal(err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config
}

// size returns how many records a topic holds.
func size(t *testing.T, client *kgo.Client, topic string) int {
	t.Helper()
	ends, err := kadm.NewClient(client).ListEndOffsets(bounded(t), topic)
	if err = errors.Join(err, ends.Error()); err != nil {
		t.Fatal(err)
	}
	n := 0
	ends.Each(func(o kadm.ListedOffset) { n += int(o.Offset) })
	return n
}

func TestRealListeners(t *testing.T) {
	kafkatest.Parallel(t)
	c := kafkatest.New(t)
	try := func(name string, brokers []string, security kafka.Security) {
		t.Run(name, func(t *testing.T) {
			to := kafka.Address{Brokers: brokers, Topic: c.Topic(t, 3)}
			p, err := kafka.NewProducer(t.Context(), to, security, kafka.Options{})
			if err != nil {
				t.Fatal(err)
			}
			sendNumbers(t, p, 0, realRecords)
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			checkNumbers(t, to, security, realRecords)
		})
	}
	try("plaintext", c.Plaintext, kafka.Security{})
	try("TLS", c.SSL, kafka.Security{CA: c.CA, Cert: c.Cert, Key: c.Key})
	try("other name", c.WrongName, kafka.Security{CA: c.CA, ServerName: "elsewhere.example"})
	for _, mechanism := range []string{"plain", "scram-sha-256", "scram-sha-512"} {
		login := kafka.Security{SASL: mechanism, User: c.User, PasswordFile: c.PasswordFile,
			Insecure: mechanism == "plain"}
		try(mechanism, c.SASLPlaintext, login)
		login.CA, login.Insecure = c.CA, false
		try(mechanism+", TLS", c.SASLSSL, login)
	}
}

// A wrong setting is refused at once, in one line with the reason, and without a password.
func TestRealRefusals(t *testing.T) {
	kafkatest.Parallel(t)
	c := kafkatest.New(t)
	topic := c.Topic(t, 1)
	right, err := os.ReadFile(c.PasswordFile)
	if err != nil {
		t.Fatal(err)
	}
	const mistyped = "open-barley"
	wrong := t.TempDir() + "/password"
	if err := os.WriteFile(wrong, []byte(mistyped), 0o600); err != nil {
		t.Fatal(err)
	}
	try := func(name string, brokers []string, security kafka.Security, words ...string) {
		t.Run(name, func(t *testing.T) {
			kafkatest.Parallel(t)
			p, err := kafka.NewProducer(bounded(t), kafka.Address{Brokers: brokers, Topic: topic}, security,
				kafka.Options{})
			if err == nil {
				err = p.Close()
			}
			var refusal *kafka.Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("no refusal: %v", err)
			}
			for _, w := range words {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q has no %q", err, w)
				}
			}
			for _, w := range []string{string(right), mistyped, "\n"} {
				if strings.Contains(err.Error(), w) {
					t.Errorf("%q is in %q", w, err)
				}
			}
		})
	}
	try("no TLS", c.SSL, kafka.Security{}, " TLS ", "--kafka-tls")
	// the fake one waits for the 369 MB that the beginning of a handshake announces to it
	if c.Real {
		try("TLS", c.Plaintext, kafka.Security{CA: c.CA}, "does it speak TLS on this port")
	}
	try("no certificate", c.SSL, kafka.Security{CA: c.CA}, "the broker wants a certificate of the client")
	try("certificate of others", c.SSL, kafka.Security{CA: c.CA, Cert: c.OtherCert, Key: c.Key},
		"the broker refuses the certificate of --kafka-cert")
	try("broker of others", c.SSL, kafka.Security{CA: c.OtherCA, Cert: c.Cert, Key: c.Key},
		"signed by an authority that is not trusted here")
	try("wrong name", c.WrongName, kafka.Security{CA: c.CA}, "is not for 127.0.0.1 but for elsewhere.example")
	try("expired", c.Expired, kafka.Security{CA: c.CA}, "the certificate of the broker is valid from ")
	try("nobody", c.SASLPlaintext, kafka.Security{}, "or a login (--kafka-sasl)?")
	try("nobody, TLS", c.SASLSSL, kafka.Security{CA: c.CA}, "does it want a login (--kafka-sasl)?")
	for _, mechanism := range []string{"plain", "scram-sha-256", "scram-sha-512"} {
		login := kafka.Security{CA: c.CA, SASL: mechanism, User: c.User, PasswordFile: wrong}
		try("password, "+mechanism, c.SASLSSL, login, "user "+c.User, "look at --kafka-user, the password (", mechanism)
		login.User, login.PasswordFile = "somebody", c.PasswordFile
		try("user, "+mechanism, c.SASLSSL, login, "user somebody", "look at --kafka-user, the password (", mechanism)
		login.CA, login.Insecure = "", mechanism == "plain"
		try("user without TLS, "+mechanism, c.SASLPlaintext, login, "user somebody")
	}
}

// An expired certificate is not even shown; a client that shows it nevertheless is refused, as
// kafkatest's tests say.
func TestRealExpired(t *testing.T) {
	kafkatest.Parallel(t)
	c := kafkatest.New(t)
	security := kafka.Security{CA: c.CA, Cert: c.ExpiredCert, Key: c.Key}
	if err := security.Check(); err == nil || !strings.Contains(err.Error(), " expired on ") {
		t.Errorf("error %v", err)
	}
}

// Producers go on when the brokers do, and have then lost and doubled nothing.
func TestRealRestart(t *testing.T) {
	kafkatest.Parallel(t)
	c := kafkatest.New(t)
	to := kafka.Address{Brokers: c.Plaintext, Topic: c.Topic(t, 3)}
	p, err := kafka.NewProducer(t.Context(), to, kafka.Security{}, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sendNumbers(t, p, 0, 500)
	if err := p.Flush(); err != nil {
		t.Fatal(err)
	}
	sendNumbers(t, p, 500, 700)
	var all []int
	for i := range c.Plaintext {
		all = append(all, i+1)
	}
	c.Kill(t, all...)
	sendNumbers(t, p, 700, realRecords)
	c.Restart(t, all...)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	checkNumbers(t, to, kafka.Security{}, realRecords)
}

// A record above the brokers' default limit arrives in a topic that takes it.
func TestRealLargeRecord(t *testing.T) {
	kafkatest.Parallel(t)
	c := kafkatest.New(t)
	to := kafka.Address{Brokers: c.Plaintext, Topic: c.Topic(t, 1)}
	client, err := kgo.NewClient(kgo.SeedBrokers(to.Brokers...))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	limit := strconv.Itoa(8 << 20)
	alter := []kadm.AlterConfig{{Name: "max.message.bytes", Value: &limit}}
	if _, err := kadm.NewClient(client).AlterTopicConfigs(bounded(t), alter, to.Topic); err != nil {
		t.Fatal(err)
	}
	awaitConfig(t, client, to.Topic, alter[0].Name, limit)
	p, err := kafka.NewProducer(t.Context(), to, kafka.Security{}, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	value := make([]byte, 3<<20)
	for i := range value {
		value[i] = byte(i * i >> 7)
	}
	if err := errors.Join(p.Send(&record.Record{Run: "r", Source: "s", Seq: 1, Value: value}), p.Close()); err != nil {
		t.Error(err)
	}
	if n := size(t, client, to.Topic); n != 1 {
		t.Errorf("%d records", n)
	}
}

// awaitConfig waits until all brokers know what a setting of a topic is.
func awaitConfig(t *testing.T, client *kgo.Client, topic, name, want string) {
	t.Helper()
	ctx := bounded(t)
	request := kmsg.NewPtrDescribeConfigsRequest()
	resource := kmsg.NewDescribeConfigsRequestResource()
	resource.ResourceType, resource.ResourceName, resource.ConfigNames = kmsg.ConfigResourceTypeTopic, topic,
		[]string{name}
	request.Resources = append(request.Resources, resource)
	brokers, err := kadm.NewClient(client).ListBrokers(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range brokers {
		for {
			answer, err := request.RequestWith(ctx, client.Broker(int(b.NodeID)))
			if err != nil {
				t.Fatal(err)
			}
			if entries := answer.Resources[0].Configs; len(entries) == 1 && entries[0].Value != nil &&
				*entries[0].Value == want {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// The broker that leads a partition is gone while it is written to.
func TestRealTakeover(t *testing.T) {
	kafkatest.Parallel(t)
	c := kafkatest.New(t)
	if len(c.Plaintext) < 3 {
		t.Skip("takes three brokers: .ci/kafka start --brokers 3")
	}
	to := kafka.Address{Brokers: c.Plaintext, Topic: c.Topic(t, 3)}
	p, err := kafka.NewProducer(t.Context(), to, kafka.Security{}, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sendNumbers(t, p, 0, 500)
	c.Kill(t, c.Leader(t, to.Topic, 0))
	sendNumbers(t, p, 500, realRecords)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	checkNumbers(t, to, kafka.Security{}, realRecords)
}
