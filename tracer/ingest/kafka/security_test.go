package kafka

import (
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/antichain-go/antichain/tracer/ingest/record"
)

const (
	password = "open-sesame"
	mistyped = "open-barley"
)

// try sends a record with these settings, and reads it.
func (c *cluster) try(t *testing.T, s Security) error {
	t.Helper()
	return errors.Join(c.send(t, s), c.read(t, s))
}

// read reads the topic with these settings.
func (c *cluster) read(t *testing.T, s Security) error {
	t.Helper()
	r, err := OpenReader(t.Context(), ReadConfig{
		Address: c.address(), Security: s, ToEnd: true, Log: zerolog.New(newTestLog(t)),
		New: func(int32, []byte) (Processor, error) { return &tickReporter{}, nil },
	})
	if err == nil {
		_, err = r.Run()
	}
	return err
}

// send sends a record with these settings.
func (c *cluster) send(t *testing.T, s Security) error {
	t.Helper()
	p, err := NewProducer(t.Context(), c.address(), s, Options{})
	if err != nil {
		return err
	}
	return errors.Join(p.Send(&record.Record{Run: "r"}), p.Close())
}

// attempts is how often a client may connect that is not served: a client may try older versions of
// the protocol, and a broker on a busy machine may close a connection before its answer has been
// read.
const attempts = 3 + logins - 1

// patient is how often it may in the time of hangingUp where brokers only hang up, and it has no
// password.
const patient = 10

// refused fails unless brokers are given up at once, with one line that has these words and no
// secret.
func (c *cluster) refused(t *testing.T, s Security, words ...string) {
	t.Helper()
	c.refusedAfter(t, attempts, s, words...)
}

func (c *cluster) refusedAfter(t *testing.T, attempts int64, s Security, words ...string) {
	t.Helper()
	before, most := c.accepted.Load(), int64(0)
	for _, try := range []func(*testing.T, Security) error{c.send, c.read} {
		begin := time.Now()
		err := try(t, s)
		most += attempts
		if late := time.Since(begin) - hangingUp; attempts == patient && late > 0 {
			// on a busy machine it takes longer to give up
			most += int64(patient * late / hangingUp)
		}
		if err == nil {
			t.Fatal("no error")
		}
		checkWords(t, err, words...)
		var r *Refusal
		if !errors.As(err, &r) || !strings.HasPrefix(err.Error(), c.address().String()+": ") {
			t.Errorf("%T: %v", err, err)
		}
	}
	// of both: a connection may be accepted when who asked for it has given up
	if n := c.accepted.Load() - before; n > most {
		t.Errorf("%d connections, more than %d", n, most)
	}
}

func checkWords(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q has no %q", err, w)
		}
	}
	for _, secret := range []string{password, mistyped, "BEGIN"} {
		for _, text := range []string{err.Error(), fmt.Sprintf("%#v", err)} {
			if strings.Contains(text, secret) && !strings.Contains(text, "PEM file") {
				t.Errorf("%q is in %s", secret, text)
			}
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("several lines: %q", err)
	}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	ours, theirs := newAuthority(t, "ours"), newAuthority(t, "theirs")
	cert, key := ours.sign(t, valid)
	otherCert, otherKey := theirs.sign(t, valid)
	for _, tt := range []struct {
		name     string
		hosts    []string // of the certificate of the broker
		clients  bool     // have to show one
		security Security
		words    []string // of the error; none if there is none
	}{
		{"right", nil, false, Security{CA: ours.file}, nil},
		{"client", nil, true, Security{CA: ours.file, Cert: cert, Key: key}, nil},
		{"other name", []string{"broker.example"}, false, Security{CA: ours.file, ServerName: "broker.example"}, nil},
		{
			"no client", nil, true, Security{CA: ours.file},
			[]string{"the broker wants a certificate of the client: give --kafka-cert and --kafka-key"},
		},
		{
			"client of others", nil, true, Security{CA: ours.file, Cert: otherCert, Key: otherKey},
			[]string{"the broker refuses the certificate of --kafka-cert (", "trusts the CA"},
		},
		{
			"unknown authority", nil, false, Security{TLS: true},
			[]string{"signed by an authority that is not trusted here: name the file with its CA: --kafka-ca"},
		},
		{
			"other authority", nil, false, Security{CA: theirs.file},
			[]string{"signed by an authority that is not trusted here: look whether --kafka-ca is the right one"},
		},
		{
			"wrong name", []string{"broker.example", "10.1.2.3"}, false, Security{CA: ours.file},
			[]string{"is not for 127.0.0.1 but for broker.example, 10.1.2.3", "--kafka-server-name"},
		},
		{
			"wrong name given", nil, false, Security{CA: ours.file, ServerName: "other.example"},
			[]string{"is not for other.example but for 127.0.0.1"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hosts := tt.hosts
			if hosts == nil {
				hosts = []string{"127.0.0.1"}
			}
			var clients *authority
			if tt.clients {
				clients = ours
			}
			c := newCluster(t, 1, kfake.TLS(ours.config(t, valid, clients, hosts...)))
			if tt.words != nil {
				c.refused(t, tt.security, tt.words...)
			} else if err := c.try(t, tt.security); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("expired", func(t *testing.T) {
		c := newCluster(t, 1, kfake.TLS(ours.config(t, expired, nil, "127.0.0.1")))
		c.refused(t, Security{CA: ours.file}, "the certificate of the broker is valid from ",
			"renew it, or look at the clock")
	})
	t.Run("broker without", func(t *testing.T) {
		t.Parallel() // the client insists a while
		// the fake broker would wait for a request of 369 MB, which real ones refuse
		c := new(cluster)
		c.wrap = func(conn net.Conn) net.Conn { return &cutConn{conn, 4, math.MaxInt} }
		c.start(t, 1)
		c.refusedAfter(t, patient, Security{CA: ours.file}, "does it speak TLS on this port")
	})
	t.Run("client without", func(t *testing.T) {
		t.Parallel() // the client insists a while
		c := newCluster(t, 1, kfake.TLS(ours.config(t, valid, nil, "127.0.0.1")))
		c.refusedAfter(t, patient, Security{}, "does it want TLS (--kafka-tls) or a login (--kafka-sasl)?")
	})
}

// The fake broker closes the connection of a client without TLS. Apache Kafka answers with an
// alert.
func TestAlert(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
			_, _ = conn.Read(make([]byte, 1000))
			_, _ = conn.Write([]byte("\x15\x03\x03\x00\x02\x02\x50")) // fatal: internal error
			_ = conn.Close()
		}
	}()
	_, err = NewProducer(t.Context(), Address{[]string{l.Addr().String()}, topic}, Security{}, Options{})
	var r *Refusal
	if !errors.As(err, &r) {
		t.Fatalf("no refusal: %v", err)
	}
	checkWords(t, err, "the broker speaks TLS there: give --kafka-tls")
}

// names of mechanisms, as brokers have them.
func mechanism(name string) string { return strings.ToUpper(name) }

func TestSASL(t *testing.T) {
	ca := newAuthority(t, "ours")
	right, wrong := writeFile(t, password+"\n"), writeFile(t, mistyped)
	for name := range mechanisms {
		secured := kfake.TLS(ca.config(t, valid, nil, "127.0.0.1"))
		users := []kfake.Opt{kfake.EnableSASL(), kfake.Superuser(mechanism(name), "alice", password)}
		login := Security{SASL: name, User: "alice", PasswordFile: right}
		refusals := map[string]func(Security) Security{
			"wrong password": func(s Security) Security { s.PasswordFile = wrong; return s },
			"wrong user":     func(s Security) Security { s.User = "bob"; return s },
		}
		for _, encrypted := range []bool{false, true} {
			opts := users
			if encrypted {
				opts = append(opts, secured)
				login.CA = ca.file
			}
			login.Insecure = name == "plain" && !encrypted
			t.Run(fmt.Sprintf("%s, TLS %v", name, encrypted), func(t *testing.T) {
				if err := newCluster(t, 1, opts...).try(t, login); err != nil {
					t.Error(err)
				}
				for what, change := range refusals {
					t.Run(what, func(t *testing.T) {
						s := change(login)
						newCluster(t, 1, opts...).refused(t, s, "user "+s.User, "look at --kafka-user, the password (",
							s.PasswordFile, name)
					})
				}
			})
		}
	}
	t.Run("none", func(t *testing.T) {
		t.Parallel() // the client insists a while
		newCluster(t, 1, kfake.EnableSASL()).refusedAfter(t, patient, Security{}, "or a login (--kafka-sasl)?")
	})
	t.Run("environment", func(t *testing.T) {
		t.Setenv(PasswordVariable, password)
		c := newCluster(t, 1, kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-256", "alice", password))
		if err := c.try(t, Security{SASL: "SCRAM-SHA-256", User: "alice"}); err != nil {
			t.Error(err)
		}
	})
	t.Run("wrong in the environment", func(t *testing.T) {
		t.Setenv(PasswordVariable, mistyped)
		c := newCluster(t, 1, kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-256", "alice", password))
		c.refused(t, Security{SASL: "scram-sha-256", User: "alice"}, "the password ("+PasswordVariable+")")
	})
}

// The fake broker closes the connection when a login fails, and takes every mechanism. Apache Kafka
// answers.
func TestAnsweredLogin(t *testing.T) {
	t.Parallel()
	file := writeFile(t, password)
	users := []kfake.Opt{kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-512", "alice", password)}
	login := Security{SASL: "scram-sha-512", User: "alice", PasswordFile: file}
	t.Run("refused", func(t *testing.T) {
		c := newCluster(t, 1, users...)
		c.ControlKey(int16(kmsg.SASLAuthenticate), func(req kmsg.Request) (kmsg.Response, error, bool) {
			c.KeepControl()
			resp := req.ResponseKind().(*kmsg.SASLAuthenticateResponse)
			resp.ErrorCode, resp.ErrorMessage = kerr.SaslAuthenticationFailed.Code, kmsg.StringPtr("no "+password)
			return resp, nil, true
		})
		c.refused(t, login, "the brokers refuse user alice: look at --kafka-user")
	})
	t.Run("other mechanism", func(t *testing.T) {
		c := newCluster(t, 1, users...)
		c.ControlKey(int16(kmsg.SASLHandshake), func(req kmsg.Request) (kmsg.Response, error, bool) {
			c.KeepControl()
			resp := req.ResponseKind().(*kmsg.SASLHandshakeResponse)
			resp.ErrorCode, resp.SupportedMechanisms = kerr.UnsupportedSaslMechanism.Code, []string{"GSSAPI"}
			return resp, nil, true
		})
		c.refused(t, login, "the brokers do not take --kafka-sasl scram-sha-512")
	})
	t.Run("not allowed", func(t *testing.T) {
		c := newCluster(t, 1)
		c.ControlKey(int16(kmsg.Metadata), func(req kmsg.Request) (kmsg.Response, error, bool) {
			r := req.(*kmsg.MetadataRequest)
			if len(r.Topics) == 0 {
				return nil, nil, false
			}
			c.KeepControl()
			resp := req.ResponseKind().(*kmsg.MetadataResponse)
			answer := kmsg.NewMetadataResponseTopic()
			answer.Topic, answer.ErrorCode = r.Topics[0].Topic, kerr.TopicAuthorizationFailed.Code
			resp.Topics = append(resp.Topics, answer)
			return resp, nil, true
		})
		c.refused(t, Security{}, "the topic is not allowed to this user")
	})
}

// Errors in the settings are found before any connection.
func TestSettings(t *testing.T) {
	ours := newAuthority(t, "ours")
	cert, key := ours.sign(t, valid)
	_, otherKey := ours.sign(t, valid)
	oldCert, oldKey := ours.sign(t, expired)
	newCert, earlyKey := ours.sign(t, future)
	file, huge := writeFile(t, password), writeFile(t, "")
	if err := os.Truncate(huge, maxFile+1); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		security Security
		words    string
	}{
		{Security{CA: huge}, "bytes: name the right file"},
		{Security{CA: "no/such/file"}, "--kafka-ca: open no/such/file"},
		{Security{CA: file}, "holds no certificate"},
		{Security{Cert: cert}, "--kafka-cert without --kafka-key"},
		{Security{Key: key}, "--kafka-key without --kafka-cert"},
		{Security{Cert: "no/such/file", Key: key}, "--kafka-cert: open no/such/file"},
		{Security{Cert: cert, Key: "no/such/file"}, "--kafka-key: open no/such/file"},
		{Security{Cert: cert, Key: otherKey}, "private key does not match public key"},
		{Security{Cert: cert, Key: file}, "both have to be PEM files"},
		{Security{Cert: key, Key: key}, "both have to be PEM files"},
		{Security{Cert: cert, Key: writePEM(t, "ENCRYPTED PRIVATE KEY", []byte("x"))},
			"is encrypted with a passphrase"},
		{Security{Cert: oldCert, Key: oldKey}, "expired on "},
		{Security{Cert: newCert, Key: earlyKey}, "is valid from "},
		{Security{SASL: "gssapi", User: "alice", PasswordFile: file},
			"the mechanisms are plain, scram-sha-256 and scram-sha-512"},
		{Security{SASL: "plain", User: "alice", PasswordFile: file}, "without TLS would send the password as it is"},
		{Security{SASL: "PLAIN", User: "alice", PasswordFile: file}, "without TLS would send the password as it is"},
		{Security{SASL: "scram-sha-512", User: "alice", PasswordFile: huge}, "bytes: name the right file"},
		{Security{SASL: "scram-sha-512", PasswordFile: file}, "--kafka-sasl without --kafka-user"},
		{Security{SASL: "scram-sha-512", User: "alice"}, "no password for user alice"},
		{Security{SASL: "scram-sha-512", User: "alice", PasswordFile: "no/such/file"},
			"--kafka-password-file: open no/such/file"},
		{Security{SASL: "scram-sha-512", User: "alice", PasswordFile: writeFile(t, "\n")}, "is empty"},
		{Security{SASL: "scram-sha-512", User: "alice", PasswordFile: writeFile(t, password+"\n"+mistyped)},
			"has several lines"},
		{Security{User: "alice"}, "--kafka-user without --kafka-sasl"},
		{Security{PasswordFile: file}, "--kafka-password-file without --kafka-sasl"},
		{Security{Insecure: true}, "--insecure is for --kafka-sasl plain without TLS; certificates are always " +
			"verified"},
	} {
		t.Setenv(PasswordVariable, "")
		err := tt.security.Check()
		if err == nil {
			t.Errorf("%+v is accepted", tt.security)
			continue
		}
		checkWords(t, err, tt.words)
	}
}

// Flags set what they name, and none takes a password.
func TestFlags(t *testing.T) {
	var got Security
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	got.Register(flags)
	err := flags.Parse([]string{
		"--kafka-tls", "--kafka-ca", "1", "--kafka-cert", "2", "--kafka-key", "3", "--kafka-server-name", "4",
		"--kafka-sasl", "5", "--kafka-user", "6", "--kafka-password-file", "7", "--insecure",
	})
	want := Security{
		TLS: true, CA: "1", Cert: "2", Key: "3", ServerName: "4", SASL: "5", User: "6", PasswordFile: "7",
		Insecure: true,
	}
	if err != nil || got != want {
		t.Errorf("%+v, error %v", got, err)
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if strings.Contains(f.Name, "password") && f.Name != "kafka-password-file" {
			t.Errorf("--%s", f.Name)
		}
	})
}

// An action that the brokers do not allow a member is reported with the remedy, and not tried
// again.
func TestGroupNotAllowed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		answer *kerr.Error
		words  string
	}{
		{kerr.GroupAuthorizationFailed, "the group is not allowed to this user: have the brokers allow it"},
		{kerr.InvalidGroupID, "the brokers do not take the name of the group"},
		{kerr.InconsistentGroupProtocol, "members of another kind"},
	} {
		t.Run(tt.answer.Message, func(t *testing.T) {
			c := newCluster(t, 1)
			c.ControlKey(int16(kmsg.JoinGroup), func(req kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl()
				resp := req.ResponseKind().(*kmsg.JoinGroupResponse)
				resp.ErrorCode = tt.answer.Code
				return resp, nil, true
			})
			b := &book{said: map[string]map[int]bool{}}
			m := join(t, c.address(), b)
			checkWords(t, <-m.done, tt.words)
		})
	}
}
