package kafkatest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// certificateFolder is a directory of keys and certificates, with the names that .ci/kafka gives
// them.
type certificateFolder struct {
	dir string
	ca  *authority
}

// authority signs certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func (i *certificateFolder) path(name string) string { return filepath.Join(i.dir, name) }

func issue(t testing.TB, dir string) *certificateFolder {
	t.Helper()
	i := &certificateFolder{dir: dir}
	i.ca = i.authority(t, "ca")
	other := i.authority(t, "other-ca")
	now := time.Now()
	later, earlier := now.Add(time.Hour), now.Add(-time.Hour)

	client := i.key(t, "client")
	named := x509.Certificate{DNSNames: []string{"client"}}
	i.sign(t, "client", i.ca, client, named, later)
	i.sign(t, "client-expired", i.ca, client, named, earlier)
	i.sign(t, "client-other", other, client, named, later)

	broker := i.key(t, "broker")
	here := x509.Certificate{DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	i.sign(t, "broker", i.ca, broker, here, later)
	i.sign(t, "broker-expired", i.ca, broker, here, earlier)
	elsewhere := x509.Certificate{DNSNames: []string{"elsewhere.example"},
		IPAddresses: []net.IP{net.IPv4(192, 0, 2, 1)}}
	i.sign(t, "broker-wrong-name", i.ca, broker, elsewhere, later)
	return i
}

func (i *certificateFolder) key(t testing.TB, name string) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	i.write(t, name+".key", "PRIVATE KEY", bytes)
	return key
}

func (i *certificateFolder) authority(t testing.TB, name string) *authority {
	t.Helper()
	a := &authority{key: i.key(t, name)}
	a.certificate = i.sign(t, name, a, a.key, x509.Certificate{IsCA: true, BasicConstraintsValid: true},
		time.Now().Add(time.Hour))
	return a
}

// sign makes a certificate for a key. An authority without a certificate signs its own.
func (i *certificateFolder) sign(t testing.TB, name string, by *authority, key *ecdsa.PrivateKey,
	named x509.Certificate, until time.Time) *x509.Certificate {
	t.Helper()
	named.SerialNumber = big.NewInt(1)
	named.Subject = pkix.Name{CommonName: name}
	named.NotBefore, named.NotAfter = until.Add(-24*time.Hour), until
	parent := by.certificate
	if parent == nil {
		parent = &named
	}
	bytes, err := x509.CreateCertificate(rand.Reader, &named, parent, &key.PublicKey, by.key)
	if err != nil {
		t.Fatal(err)
	}
	i.write(t, name+".pem", "CERTIFICATE", bytes)
	certificate, err := x509.ParseCertificate(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

func (i *certificateFolder) write(t testing.TB, name, kind string, bytes []byte) {
	t.Helper()
	if err := os.WriteFile(i.path(name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600); err != nil {
		t.Fatal(err)
	}
}
