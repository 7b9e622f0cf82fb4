package kafkatest_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/antichain-go/antichain/internal/kafkatest"
)

// patience makes a test that would hang fail: each operation takes seconds at most.
const patience = time.Minute

func bounded(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func connect(t *testing.T, brokers []string, options ...kgo.Opt) *kgo.Client {
	t.Helper()
	// By default it asks for leaders every five seconds at most, and waits as long for records of
	// the partitions it asked for first.
	options = append(options, kgo.SeedBrokers(brokers...), kgo.MetadataMinAge(100*time.Millisecond),
		kgo.FetchMaxWait(100*time.Millisecond))
	client, err := kgo.NewClient(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// produce writes the numbers from first until end, over all partitions, and waits until all
// replicas have them.
func produce(t *testing.T, client *kgo.Client, topic string, first, end int) {
	t.Helper()
	var records []*kgo.Record
	for i := first; i < end; i++ {
		number := strconv.Itoa(i)
		records = append(records, &kgo.Record{Topic: topic, Key: []byte(number), Value: []byte(number)})
	}
	if err := client.ProduceSync(bounded(t), records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
}

// consume reads a topic from its beginning, until it has as many records as it holds: the numbers
// below count, each once.
func consume(t *testing.T, client *kgo.Client, topic string, count int) {
	t.Helper()
	ctx := bounded(t)
	ends, err := kadm.NewClient(client).ListEndOffsets(ctx, topic)
	if err != nil {
		t.Fatal(err)
	}
	left := int64(0)
	ends.Each(func(o kadm.ListedOffset) {
		if o.Err != nil {
			t.Fatalf("partition %d: %v", o.Partition, o.Err)
		}
		left += o.Offset
	})
	if left != int64(count) {
		t.Errorf("the topic ends after %d records, not %d", left, count)
	}
	client.AddConsumeTopics(topic)
	seen := make([]int, count)
	for left > 0 {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err0(); err != nil {
			t.Fatalf("%d records to come: %v", left, err)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			left--
			if i, err := strconv.Atoi(string(r.Value)); err == nil && i >= 0 && i < count {
				seen[i]++
			} else {
				t.Errorf("record %q", r.Value)
			}
		})
	}
	for i, n := range seen {
		if n != 1 {
			t.Errorf("record %d was read %d times", i, n)
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// secure is a connection to brokers with certificates, without a client certificate or with one.
func secure(t *testing.T, ca string, pair ...string) kgo.Opt {
	t.Helper()
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	if !config.RootCAs.AppendCertsFromPEM(read(t, ca)) {
		t.Fatalf("%s: no certificate", ca)
	}
	if len(pair) > 0 {
		certificate, err := tls.LoadX509KeyPair(pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		// Also if the broker asks for one of another authority.
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return &certificate, nil
		}
	}
	return kgo.DialTLSConfig(config)
}

// mechanisms are the ways to authenticate.
func mechanisms(user, password string) map[string]sasl.Mechanism {
	return map[string]sasl.Mechanism{
		"PLAIN":         plain.Auth{User: user, Pass: password}.AsMechanism(),
		"SCRAM-SHA-256": scram.Auth{User: user, Pass: password}.AsSha256Mechanism(),
		"SCRAM-SHA-512": scram.Auth{User: user, Pass: password}.AsSha512Mechanism(),
	}
}

func TestListeners(t *testing.T) {
	c := kafkatest.New(t)
	try := func(name string, brokers []string, options ...kgo.Opt) {
		t.Run(name, func(t *testing.T) {
			client := connect(t, brokers, options...)
			topic := c.Topic(t, 3)
			produce(t, client, topic, 0, 1000)
			consume(t, client, topic, 1000)
		})
	}
	try("PLAINTEXT", c.Plaintext)
	try("SSL", c.SSL, secure(t, c.CA, c.Cert, c.Key))
	for name, mechanism := range mechanisms(c.User, string(read(t, c.PasswordFile))) {
		try("SASL_PLAINTEXT "+name, c.SASLPlaintext, kgo.SASL(mechanism))
		try("SASL_SSL "+name, c.SASLSSL, kgo.SASL(mechanism), secure(t, c.CA))
	}
}

// What TestListeners does is refused at once if one thing is wrong, with an error that says what.
func TestRefused(t *testing.T) {
	c := kafkatest.New(t)
	try := func(name string, want func(error) bool, brokers []string, options ...kgo.Opt) {
		t.Run(name, func(t *testing.T) {
			err := connect(t, brokers, append(options, kgo.RequestRetries(0))...).Ping(bounded(t))
			if err == nil || !want(err) {
				t.Errorf("the error is %v", err)
			}
		})
	}
	try("no certificate", remote, c.SSL, secure(t, c.CA))
	try("expired certificate", remote, c.SSL, secure(t, c.CA, c.ExpiredCert, c.Key))
	try("certificate of another authority", remote, c.SSL, secure(t, c.CA, c.OtherCert, c.Key))
	try("broker of another authority", is[x509.UnknownAuthorityError], c.SSL, secure(t, c.OtherCA, c.Cert, c.Key))
	try("broker of another authority, SASL", is[x509.UnknownAuthorityError], c.SASLSSL, secure(t, c.OtherCA))
	try("wrong name", is[x509.HostnameError], c.WrongName, secure(t, c.CA))
	try("expired broker", expired, c.Expired, secure(t, c.CA))
	try("nobody", is[*kgo.ErrFirstReadEOF], c.SASLPlaintext)
	try("nobody, SSL", is[*kgo.ErrFirstReadEOF], c.SASLSSL, secure(t, c.CA))

	// The fake one hangs up.
	denied := func(err error) bool {
		return errors.Is(err, kerr.SaslAuthenticationFailed) || !c.Real && errors.Is(err, io.EOF)
	}
	for name, wrong := range mechanisms(c.User, "wrong") {
		try("wrong password, "+name, denied, c.SASLPlaintext, kgo.SASL(wrong))
		try("wrong password, SSL, "+name, denied, c.SASLSSL, kgo.SASL(wrong), secure(t, c.CA))
	}
	for name, wrong := range mechanisms("somebody", string(read(t, c.PasswordFile))) {
		try("wrong user, "+name, denied, c.SASLPlaintext, kgo.SASL(wrong))
	}
}

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// remote is a TLS error found by the broker.
func remote(err error) bool { return strings.Contains(err.Error(), "remote error: tls: ") }

func expired(err error) bool {
	var invalid x509.CertificateInvalidError
	return errors.As(err, &invalid) && invalid.Reason == x509.Expired
}

func TestRestart(t *testing.T) {
	c := kafkatest.New(t)
	topic := c.Topic(t, 3)
	client := connect(t, c.Plaintext)
	produce(t, client, topic, 0, 500)
	var all []int
	for i := range c.Plaintext {
		all = append(all, i+1)
	}
	c.Kill(t, all...)
	if err := connect(t, c.Plaintext, kgo.RequestRetries(0)).Ping(bounded(t)); err == nil {
		t.Error("killed brokers answer")
	}
	c.Restart(t, all...)
	produce(t, client, topic, 500, 1000)
	consume(t, client, topic, 1000)
}

// One of three brokers is gone, whose partitions the others take over.
func TestTakeover(t *testing.T) {
	c := kafkatest.New(t)
	if len(c.Plaintext) < 3 {
		t.Skip("takes three brokers: .ci/kafka start --brokers 3")
	}
	topic := c.Topic(t, 3)
	client := connect(t, c.Plaintext)
	produce(t, client, topic, 0, 500)
	leader := c.Leader(t, topic, 0)
	c.Kill(t, leader)
	produce(t, client, topic, 500, 1000)
	consume(t, client, topic, 1000)
	c.Restart(t, leader)
	produce(t, client, topic, 1000, 1500)
	consume(t, connect(t, c.Plaintext), topic, 1500)
}
