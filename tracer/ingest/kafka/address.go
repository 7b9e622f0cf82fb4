package kafka

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/antichain-go/antichain/tracer/event"
)

// scheme begins every address.
const scheme = "kafka://"

// defaultPort is the port of a broker whose address has none.
const defaultPort = "9092"

// Address is a topic of a cluster.
type Address struct {
	Brokers []string // HOST:PORT, some of the cluster's; they report the others
	Topic   string
}

// IsAddress reports whether a word is meant to be an address.
func IsAddress(word string) bool { return strings.HasPrefix(word, scheme) }

// nameForm is the form of names in Kafka, apart from their length. Expressions are compiled on
// first use: this package is part of every start of antichain.
var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9._-]+$`) })

// TopicNames describes valid names of topics.
const TopicNames = "letters, digits, dots, underscores and dashes make a name, at most 249 of them"

// IsTopic reports whether a name is valid for a topic.
func IsTopic(name string) bool { return isName(name) && name != "." && name != ".." }

func isName(name string) bool { return len(name) <= 249 && nameForm().MatchString(name) }

const example = "write kafka://HOST[:PORT][,HOST[:PORT]…]/TOPIC"

// Parse reads an address: kafka://HOST[:PORT][,HOST[:PORT]…]/TOPIC. The port is 9092 if none is
// given.
func Parse(text string) (Address, error) {
	rest, ok := strings.CutPrefix(text, scheme)
	switch {
	case !ok:
		return Address{}, fmt.Errorf("%s is no address of a topic: %s", event.Printable(text), example)
	case strings.Contains(rest, "@"): // the text before it may be secret
		return Address{}, errors.New("an address of a topic with an @: user and password do not belong there; give " +
			"--kafka-user, and the password in a file or in the environment")
	}
	hosts, topic, _ := strings.Cut(rest, "/")
	if topic == "" {
		return Address{}, fmt.Errorf("%s names no topic: %s", event.Printable(text), example)
	}
	if !IsTopic(topic) {
		return Address{}, fmt.Errorf("%s: a topic cannot be named %s: %s", event.Printable(text),
			event.Printable(topic), TopicNames)
	}
	a := Address{Topic: topic}
	for host := range strings.SplitSeq(hosts, ",") {
		broker, err := parseBroker(host)
		if err != nil {
			return Address{}, fmt.Errorf("%s: %w: %s", event.Printable(text), err, example)
		}
		a.Brokers = append(a.Brokers, broker)
	}
	return a, nil
}

// hostName is the name or the number of a machine; one with colons stands in brackets.
var hostName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-zA-Z0-9._-]+$|^[0-9a-fA-F:.]+(%[a-zA-Z0-9._-]+)?$`)
})

// parseBroker reads HOST or HOST:PORT.
func parseBroker(text string) (string, error) {
	host, port, err := net.SplitHostPort(text)
	if err != nil { // no port, or more colons than one
		host, port = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"), defaultPort
		if strings.Contains(host, ":") && !strings.HasPrefix(text, "[") {
			return "", fmt.Errorf("broker %s: a host with colons stands in brackets, as in [::1]:9092",
				event.Printable(text))
		}
	}
	switch n, err := strconv.ParseUint(port, 10, 16); {
	case !hostName().MatchString(host):
		return "", fmt.Errorf("broker %s has no host", event.Printable(text))
	case err != nil || n == 0:
		return "", fmt.Errorf("broker %s: %s is no port", event.Printable(text), event.Printable(port))
	}
	return net.JoinHostPort(host, port), nil
}

// String returns the address in the form that Parse reads.
func (a Address) String() string { return scheme + strings.Join(a.Brokers, ",") + "/" + a.Topic }
