package kafka

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	client "github.com/segmentio/kafka-go"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// Refusal says why brokers will never serve this client.
type Refusal struct {
	Reason, Remedy string
}

func (r *Refusal) Error() string { return r.Reason + ": " + r.Remedy }

// refusal returns the meaning of an error that no retry can resolve, nil for all others.
//
// Where secrets were sent it quotes neither brokers nor the client.
func (s *Security) refusal(err error) *Refusal {
	if r := s.untrustedRefusal(err); r != nil {
		return r
	}
	if r := deniedRefusal(err); r != nil {
		return r
	}
	var remote *net.OpError
	switch {
	case wire.HasCode(err, client.SASLAuthenticationFailed):
		return s.badLogin("the brokers refuse user %s")
	case wire.HasCode(err, client.UnsupportedSASLMechanism, client.IllegalSASLState):
		return &Refusal{"the brokers do not take --kafka-sasl " + s.SASL,
			"ask which mechanism their listener has (sasl.enabled.mechanisms)"}
	case errors.As(err, &remote) && remote.Op == "remote error":
		return s.refusedByTLS(remote.Err)
	// the client took the alert for the length of an answer
	case errors.Is(err, wire.ErrTLS), strings.Contains(err.Error(), "tls alert record"):
		return &Refusal{"the broker speaks TLS there", "give --kafka-tls, and --kafka-ca if its CA is not the system's"}
	case strings.Contains(err.Error(), "server sent authentication error"):
		return s.badLogin("the brokers refuse user %s") // SCRAM has an error of its own
	case errors.Is(err, wire.ErrImpostor), strings.Contains(err.Error(), "server signature mismatch"):
		return &Refusal{"the brokers do not know the password either", "look whether they are who they should be"}
	}
	return nil
}

// deniedRefusal recognises answers of brokers that forbid the user an action, or do not accept a
// name.
func deniedRefusal(err error) *Refusal {
	switch {
	case wire.HasCode(err, client.TopicAuthorizationFailed):
		return &Refusal{"the topic is not allowed to this user",
			"have the brokers allow it (kafka-acls.sh): Describe, Write to send, Read to monitor, and Create if it " +
				"is to be made"}
	case wire.HasCode(err, client.GroupAuthorizationFailed):
		return &Refusal{"the group is not allowed to this user",
			"have the brokers allow it (kafka-acls.sh): Read on the group"}
	case wire.HasCode(err, client.ClusterAuthorizationFailed):
		return &Refusal{"the brokers do not let this user send idempotently",
			"have them allow IdempotentWrite on the cluster (kafka-acls.sh)"}
	case wire.HasCode(err, client.InvalidTopic):
		return &Refusal{"the brokers do not take the name of the topic", "choose another one"}
	case wire.HasCode(err, client.InvalidGroupId):
		return &Refusal{"the brokers do not take the name of the group", "choose another one"}
	case wire.HasCode(err, client.InconsistentGroupProtocol):
		return &Refusal{"the group has members of another kind, which read it in another way", "choose another group"}
	}
	return nil
}

// permanent returns an error that no retry can resolve, with the remedy if that is known; nil for
// all others.
func permanent(err error) error {
	if r := deniedRefusal(err); r != nil {
		return r
	}
	if wire.HasCode(err, client.SASLAuthenticationFailed, client.UnsupportedSASLMechanism) ||
		errors.Is(err, ErrSession) {
		return err
	}
	return nil
}

// withTopic adds the topic to an error, and the remedy if that is known.
func withTopic(topic string, err error) error {
	return fmt.Errorf("topic %s: %w", topic, cmp.Or(permanent(err), err))
}

// untrustedRefusal explains why the certificate of a broker is rejected.
func (s *Security) untrustedRefusal(err error) *Refusal {
	var (
		invalid *tls.CertificateVerificationError
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		expired x509.CertificateInvalidError
		noTLS   tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &unknown):
		remedy := "name the file with its CA: --kafka-ca"
		if s.CA != "" {
			remedy = "look whether --kafka-ca is the right one"
		}
		return &Refusal{"the certificate of the broker is signed by an authority that is not trusted here", remedy}
	case errors.As(err, &name):
		return &Refusal{
			fmt.Sprintf("the certificate of the broker is not for %s but for %s", event.Printable(name.Host),
				names(name.Certificate)),
			"connect to it by that name, or give it with --kafka-server-name",
		}
	case errors.As(err, &expired) && expired.Reason == x509.Expired && expired.Cert != nil:
		return &Refusal{
			fmt.Sprintf("the certificate of the broker is valid from %s to %s",
				expired.Cert.NotBefore.Format(time.DateOnly), expired.Cert.NotAfter.Format(time.DateOnly)),
			"renew it, or look at the clock",
		}
	case errors.As(err, &invalid):
		return &Refusal{"the certificate of the broker is not accepted (" + event.Printable(invalid.Err.Error()) + ")",
			"have it made anew"}
	case errors.As(err, &noTLS):
		return &Refusal{"the broker does not speak TLS there",
			"take the port of its TLS listener, or leave --kafka-tls and certificates out"}
	}
	return nil
}

// names lists the names in a certificate.
func names(c *x509.Certificate) string {
	all := c.DNSNames
	for _, ip := range c.IPAddresses {
		all = append(all, ip.String())
	}
	if len(all) == 0 {
		return "no name at all"
	}
	return event.Printable(strings.Join(all, ", "))
}

// refusedByTLS explains an alert of the broker.
func (s *Security) refusedByTLS(alert error) *Refusal {
	if s.Cert == "" && strings.Contains(alert.Error(), "certificate") {
		return &Refusal{"the broker wants a certificate of the client", "give --kafka-cert and --kafka-key"}
	}
	if s.Cert == "" {
		return &Refusal{"the broker ends the TLS handshake (" + event.Printable(alert.Error()) + ")",
			"look into its log"}
	}
	return &Refusal{"the broker refuses the certificate of --kafka-cert (" + event.Printable(alert.Error()) + ")",
		"look whether it trusts the CA that signed it, and into its log"}
}

// hungUp reports whether the other side has closed a connection.
func hungUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.EPIPE)
}

// cutShort explains why brokers may close the first connections without an answer.
func (s *Security) cutShort() *Refusal {
	switch {
	case s.SASL != "":
		return s.badLogin("the broker closes the connection when user %s logs in")
	case s.tls():
		return &Refusal{"the broker closes the connection in the TLS handshake",
			"does it speak TLS on this port, and does it want a login (--kafka-sasl)?"}
	}
	return &Refusal{"the broker closes the connection", "does it want TLS (--kafka-tls) or a login (--kafka-sasl)?"}
}

func (s *Security) badLogin(format string) *Refusal {
	where := PasswordVariable
	if s.PasswordFile != "" {
		where = s.PasswordFile
	}
	return &Refusal{
		fmt.Sprintf(format, event.Printable(s.User)),
		fmt.Sprintf("look at --kafka-user, the password (%s) and --kafka-sasl %s", event.Printable(where), s.SASL),
	}
}

// describeUnreachable says why brokers cannot be reached, in one line.
func describeUnreachable(err error) string {
	var (
		dns *net.DNSError
		op  *net.OpError
	)
	switch {
	case err == nil:
		return "no answer"
	case errors.As(err, &dns):
		return "the host " + event.Printable(dns.Name) + " is not known"
	case errors.As(err, &op) && op.Op == "dial" && op.Addr != nil:
		return op.Addr.String() + ": " + reasonOf(op.Err)
	}
	return event.Printable(reasonOf(err))
}

// reasonOf returns the error of the operating system, without the system call.
func reasonOf(err error) string {
	var code syscall.Errno
	switch {
	case errors.As(err, &code):
		return code.Error()
	case hungUp(err):
		return "the connection was closed"
	}
	return err.Error()
}
