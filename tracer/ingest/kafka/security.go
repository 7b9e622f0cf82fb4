package kafka

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"
	"github.com/spf13/pflag"

	"github.com/antichain-go/antichain/tracer/event"
)

// PasswordVariable is the environment variable with the password, if that is not in a file.
const PasswordVariable = "ANTICHAIN_KAFKA_PASSWORD"

// Security says how brokers and clients authenticate. The zero Security trusts the network. It
// holds no secret, only the places of secrets, and so can be printed and kept.
type Security struct {
	TLS        bool
	CA         string // file with the certificates that sign those of brokers; "" is the system's
	Cert, Key  string // files with the certificate of the client, and its key
	ServerName string // name in the certificates of brokers; "" is their host

	SASL         string // mechanism: plain, scram-sha-256 or scram-sha-512; "" is none
	User         string
	PasswordFile string // "" is PasswordVariable

	// Insecure allows sending the password unencrypted: SASL PLAIN without TLS. Certificates are
	// always verified.
	Insecure bool
}

// mechanisms has the mechanisms of SASL by their names, in lower case.
var mechanisms = map[string]func(user, password string) (sasl.Mechanism, error){
	"plain": func(user, password string) (sasl.Mechanism, error) {
		return plain.Mechanism{Username: user, Password: password}, nil
	},
	"scram-sha-256": scramLogin(scram.SHA256),
	"scram-sha-512": scramLogin(scram.SHA512),
}

func scramLogin(algorithm scram.Algorithm) func(user, password string) (sasl.Mechanism, error) {
	return func(user, password string) (sasl.Mechanism, error) {
		m, err := scram.Mechanism(algorithm, user, password)
		if err != nil { // it quotes the password
			return nil, errors.New("--kafka-sasl scram: the user or the password has characters that SCRAM does not " +
				"allow (RFC 4013): change it")
		}
		return m, nil
	}
}

// Register registers the flags of the settings.
func (s *Security) Register(flags *pflag.FlagSet) {
	flags.BoolVar(&s.TLS, "kafka-tls", false,
		"connect to Kafka with TLS; implied by the other flags about certificates")
	flags.StringVar(&s.CA, "kafka-ca", "",
		"`FILE` with the certificate authorities of the brokers; default the system's")
	flags.StringVar(&s.Cert, "kafka-cert", "", "`FILE` with the certificate of this client")
	flags.StringVar(&s.Key, "kafka-key", "", "`FILE` with the private key of that certificate")
	flags.StringVar(&s.ServerName, "kafka-server-name", "",
		"expect this `NAME` in the certificates of brokers instead of their host")
	flags.StringVar(&s.SASL, "kafka-sasl", "", "log in with this `MECHANISM`: plain, scram-sha-256 or scram-sha-512")
	flags.StringVar(&s.User, "kafka-user", "", "log in as this `USER`")
	flags.StringVar(&s.PasswordFile, "kafka-password-file", "",
		"`FILE` with the password; default the environment variable "+PasswordVariable)
	flags.BoolVar(&s.Insecure, "insecure", false,
		"with --kafka-sasl plain, send the password without TLS, readable to anyone on the network")
}

// tls reports whether connections are encrypted.
func (s *Security) tls() bool {
	return s.TLS || s.CA != "" || s.Cert != "" || s.Key != "" || s.ServerName != ""
}

// Check reports an error in the settings and the files that they name.
func (s *Security) Check() error {
	_, _, err := s.secrets()
	return err
}

// secrets returns the TLS configuration and the login of connections, nil for unused ones.
func (s *Security) secrets() (config *tls.Config, login sasl.Mechanism, err error) {
	if s.tls() {
		if config, err = s.tlsConfig(); err != nil {
			return nil, nil, err
		}
	}
	if err := s.complete(); err != nil || s.SASL == "" {
		return config, nil, err
	}
	password, err := s.password()
	if err != nil {
		return nil, nil, err
	}
	login, err = s.mechanism()(s.User, password)
	return config, login, err
}

// mechanism returns the chosen mechanism of SASL; nil if there is none of that name.
func (s *Security) mechanism() func(user, password string) (sasl.Mechanism, error) {
	return mechanisms[strings.ToLower(s.SASL)]
}

// complete returns an error for missing or superfluous settings of a login.
func (s *Security) complete() error {
	switch {
	case s.SASL == "" && s.User != "":
		return errors.New("--kafka-user without --kafka-sasl: name the mechanism, as in --kafka-sasl scram-sha-512")
	case s.SASL == "" && s.PasswordFile != "":
		return errors.New("--kafka-password-file without --kafka-sasl: name the mechanism, as in --kafka-sasl " +
			"scram-sha-512")
	case s.SASL == "" && s.Insecure:
		return errors.New("--insecure is for --kafka-sasl plain without TLS; certificates are always verified")
	case s.SASL == "":
		return nil
	case s.mechanism() == nil:
		return fmt.Errorf("--kafka-sasl %s: the mechanisms are plain, scram-sha-256 and scram-sha-512",
			event.Printable(s.SASL))
	case s.User == "":
		return errors.New("--kafka-sasl without --kafka-user: name the user")
	case strings.ToLower(s.SASL) == "plain" && !s.tls() && !s.Insecure:
		return errors.New("--kafka-sasl plain without TLS would send the password as it is: add --kafka-tls, take " +
			"scram-sha-512, or give --insecure if the network has no other users")
	}
	return nil
}

// password reads the password. No error quotes it.
func (s *Security) password() (string, error) {
	if s.PasswordFile == "" {
		password := os.Getenv(PasswordVariable)
		if password == "" {
			return "", fmt.Errorf("no password for user %s: give --kafka-password-file FILE, or set %s",
				event.Printable(s.User), PasswordVariable)
		}
		return password, nil
	}
	content, err := readSmall(s.PasswordFile)
	if err != nil {
		return "", fmt.Errorf("--kafka-password-file: %w", err)
	}
	password := strings.TrimRight(string(content), "\r\n")
	switch {
	case password == "":
		return "", fmt.Errorf("--kafka-password-file %s is empty: write the password into it",
			event.Printable(s.PasswordFile))
	case strings.ContainsAny(password, "\r\n\x00"):
		return "", fmt.Errorf("--kafka-password-file %s has several lines: the password is to be in one",
			event.Printable(s.PasswordFile))
	}
	return password, nil
}

// maxFile bounds a file with a password, a key or certificates; it exceeds the size of all public
// authorities' certificates.
const maxFile = 16 << 20

// readSmall reads a file of at most maxFile bytes.
func readSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(content) > maxFile {
		err = fmt.Errorf("%s has more than %d bytes: name the right file", event.Printable(path), maxFile)
	}
	return content, err
}

func (s *Security) tlsConfig() (*tls.Config, error) {
	config := &tls.Config{ServerName: s.ServerName, MinVersion: tls.VersionTLS12}
	if s.CA != "" {
		content, err := readSmall(s.CA)
		if err != nil {
			return nil, fmt.Errorf("--kafka-ca: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(content) {
			return nil, fmt.Errorf("--kafka-ca %s holds no certificate: it has to be a PEM file with -----BEGIN "+
				"CERTIFICATE-----", event.Printable(s.CA))
		}
	}
	switch {
	case s.Cert == "" && s.Key == "":
		return config, nil
	case s.Key == "":
		return nil, errors.New("--kafka-cert without --kafka-key: name the file with its private key")
	case s.Cert == "":
		return nil, errors.New("--kafka-key without --kafka-cert: name the file with the certificate")
	}
	pair, err := s.clientCertificate()
	config.Certificates = []tls.Certificate{pair}
	return config, err
}

// clientCertificate reads the certificate of the client, and checks that brokers can accept it.
func (s *Security) clientCertificate() (tls.Certificate, error) {
	none := tls.Certificate{}
	cert, err := readSmall(s.Cert)
	if err != nil {
		return none, fmt.Errorf("--kafka-cert: %w", err)
	}
	key, err := readSmall(s.Key)
	if err != nil {
		return none, fmt.Errorf("--kafka-key: %w", err)
	}
	if isEncrypted(key) {
		return none, fmt.Errorf("--kafka-key %s is encrypted with a passphrase: decrypt it, for example with "+
			"openssl pkey", event.Printable(s.Key))
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil { // it quotes neither file
		return none, fmt.Errorf("--kafka-cert %s with --kafka-key %s: %w: both have to be PEM files, and belong "+
			"together",
			event.Printable(s.Cert), event.Printable(s.Key), err)
	}
	now := time.Now()
	switch leaf := pair.Leaf; {
	case now.After(leaf.NotAfter):
		return none, fmt.Errorf("--kafka-cert %s expired on %s: get a new one", event.Printable(s.Cert),
			leaf.NotAfter.Format(time.DateOnly))
	case now.Before(leaf.NotBefore):
		return none, fmt.Errorf("--kafka-cert %s is valid from %s on: wait, or look at the clock",
			event.Printable(s.Cert), leaf.NotBefore.Format(time.DateTime))
	}
	return pair, nil
}

// isEncrypted reports whether a PEM file has a private key with a passphrase.
func isEncrypted(content []byte) bool {
	for block, rest := pem.Decode(content); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "ENCRYPTED PRIVATE KEY" || block.Headers["DEK-Info"] != "" {
			return true
		}
	}
	return bytes.Contains(content, []byte("ENCRYPTED"))
}
