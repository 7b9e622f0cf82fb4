package kafkatest

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
)

// fakes has a fake broker for each kind of listener, since one broker has one kind. They share
// topics, but not messages.
type fakes []*listener

type listener struct {
	options []kfake.Opt
	cluster *kfake.Cluster // nil if killed
}

func fake(t testing.TB) *Cluster {
	t.Helper()
	dir := t.TempDir()
	issued := issue(t, dir)
	password := rand.Text()
	c := &Cluster{
		CA:           issued.path("ca.pem"),
		OtherCA:      issued.path("other-ca.pem"),
		Cert:         issued.path("client.pem"),
		Key:          issued.path("client.key"),
		ExpiredCert:  issued.path("client-expired.pem"),
		OtherCert:    issued.path("client-other.pem"),
		User:         "antichain",
		PasswordFile: filepath.Join(dir, "password"),
	}
	if err := os.WriteFile(c.PasswordFile, []byte(password), 0o600); err != nil {
		t.Fatal(err)
	}
	sasl := []kfake.Opt{kfake.EnableSASL()}
	for _, mechanism := range []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"} {
		sasl = append(sasl, kfake.Superuser(mechanism, c.User, password))
	}
	certificate := func(name string) kfake.Opt { return kfake.TLS(serverTLS(t, issued, name)) }
	mutual := serverTLS(t, issued, "broker")
	mutual.ClientAuth = tls.RequireAndVerifyClientCert
	mutual.ClientCAs = x509.NewCertPool()
	mutual.ClientCAs.AddCert(issued.ca.certificate)

	var all fakes
	listen := func(options ...kfake.Opt) []string {
		l := newListener(t, options...)
		all = append(all, l)
		return l.cluster.ListenAddrs()
	}
	c.Plaintext = listen()
	c.SSL = listen(kfake.TLS(mutual))
	c.SASLPlaintext = listen(sasl...)
	c.SASLSSL = listen(append(sasl, certificate("broker"))...)
	c.WrongName = listen(certificate("broker-wrong-name"))
	c.Expired = listen(certificate("broker-expired"))
	c.brokers = all
	return c
}

func serverTLS(t testing.TB, issued *certificateFolder, name string) *tls.Config {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(issued.path(name+".pem"), issued.path("broker.key"))
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}}
}

// newListener starts a broker that stores its data on disk, for its successor at the same port.
func newListener(t testing.TB, options ...kfake.Opt) *listener {
	t.Helper()
	l := &listener{options: append([]kfake.Opt{
		kfake.NumBrokers(1),
		kfake.DataDir(t.TempDir()),
		kfake.GroupMinSessionTimeout(500 * time.Millisecond),
	}, options...)}
	l.start(t)
	t.Cleanup(l.stop)
	_, port, err := net.SplitHostPort(l.cluster.ListenAddrs()[0])
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	l.options = append(l.options, kfake.Ports(number))
	return l
}

func (l *listener) start(t testing.TB) {
	t.Helper()
	var err error
	l.cluster, err = kfake.NewCluster(l.options...)
	for end := time.Now().Add(patience); errors.Is(err, syscall.EADDRINUSE) && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond) // after a restart, the port may be taken for a while
		l.cluster, err = kfake.NewCluster(l.options...)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (l *listener) stop() {
	if l.cluster != nil {
		l.cluster.Close()
		l.cluster = nil
	}
}

func (all fakes) createTopic(t testing.TB, name string, partitions int32) {
	t.Helper()
	for _, l := range all {
		if err := l.cluster.CreateTopic(name, partitions, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// There is one broker, so Kill and Restart are about that one.

func (all fakes) kill(testing.TB, ...int) {
	for _, l := range all {
		l.stop()
	}
}

func (all fakes) restart(t testing.TB, _ ...int) {
	t.Helper()
	for _, l := range all {
		if l.cluster == nil {
			l.start(t)
		}
	}
}
