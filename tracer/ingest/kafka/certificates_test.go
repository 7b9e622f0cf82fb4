package kafka

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
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

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string // with its own certificate
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{key: newKey(t)}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.file = writePEM(t, "CERTIFICATE", der)
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// validity says when a certificate is valid.
type validity struct{ from, to time.Duration } // from now on

var (
	valid   = validity{-time.Hour, time.Hour}
	expired = validity{-2 * time.Hour, -time.Hour}
	future  = validity{time.Hour, 2 * time.Hour}
)

// sign makes a certificate, for hosts if there are any, and else for a client, and returns its
// files.
func (a *authority) sign(t *testing.T, v validity, hosts ...string) (cert, key string) {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "somebody"},
		NotBefore: time.Now().Add(v.from), NotAfter: time.Now().Add(v.to),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	private := newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, private.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return writePEM(t, "CERTIFICATE", der), writePEM(t, "PRIVATE KEY", encoded)
}

func writePEM(t *testing.T, kind string, der []byte) string {
	t.Helper()
	return writeFile(t, string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})))
}

func writeFile(t *testing.T, content string) string {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(content); err != nil {
		t.Fatal(err)
	}
	return filepath.Clean(f.Name())
}

// config returns how a broker with a certificate of the authority listens. It wants certificates of
// clients that are signed by the other one, if that is not nil.
func (a *authority) config(t *testing.T, v validity, clients *authority, hosts ...string) *tls.Config {
	t.Helper()
	cert, key := a.sign(t, v, hosts...)
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}}
	if clients != nil {
		c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		c.ClientCAs.AddCert(clients.cert)
	}
	return c
}
