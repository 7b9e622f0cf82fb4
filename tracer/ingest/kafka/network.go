package kafka

import (
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/segmentio/kafka-go/protocol"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// outage is a repeated failure. It is logged when it begins, when its reason changes, and when it
// is over.
type outage struct {
	since  time.Time // zero if there is none
	reason string
}

// noteFailure notes a failure. It reports whether that is worth a line in the log.
func (o *outage) noteFailure(err error, now time.Time) bool {
	reason := describeUnreachable(err) // without parts that vary, such as the port on this side
	if !o.since.IsZero() && o.reason == reason {
		return false
	}
	if o.since.IsZero() {
		o.since = now
	}
	o.reason = reason
	return true
}

// noteSuccess notes a success. It reports whether there was an outage, and how long.
func (o *outage) noteSuccess(now time.Time) (lasted time.Duration, was bool) {
	if o.since.IsZero() {
		return 0, false
	}
	lasted = now.Sub(o.since)
	*o = outage{}
	return lasted, true
}

// readFailed logs a failure of reading a partition.
func (o *outage) readFailed(log zerolog.Logger, b *wire.Batch) {
	if o.noteFailure(b.Err, time.Now()) {
		log.Warn().Str("why", o.reason).Int32("partition", b.Partition).Msg("reading fails")
	}
}

// readWorks logs the end of such failures.
func (o *outage) readWorks(log zerolog.Logger) {
	if lasted, was := o.noteSuccess(time.Now()); was {
		log.Info().Dur("lasted_ms", lasted).Msg("reading works again")
	}
}

// network knows which brokers answer.
type network struct {
	log zerolog.Logger

	mu       sync.Mutex
	away     map[string]*outage // by broker
	answered time.Time          // when a broker last did
	failed   time.Time          // when a connection last failed
	reason   string             // of that
}

func newNetwork(log zerolog.Logger) *network {
	return &network{log: log, away: map[string]*outage{}}
}

// noteConnect notes the outcome of an attempt to connect to a broker. A connection counts once the
// broker has accepted the client.
func (n *network) noteConnect(broker string, err error, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	o := n.away[broker]
	if err == nil {
		n.answered = now
		if o != nil {
			lasted, _ := o.noteSuccess(now)
			delete(n.away, broker)
			n.log.Info().Str("broker", broker).Dur("away_ms", lasted).Msg("broker is back")
		}
		return
	}
	n.failed, n.reason = now, describeUnreachable(err)
	if o == nil {
		o = &outage{}
		n.away[broker] = o
	}
	if o.noteFailure(err, now) {
		n.log.Warn().Str("broker", broker).Str("why", o.reason).Msg("broker is away")
	}
}

// watch reports a cluster's connections and answers to the network, and to a contact.
func (n *network) watch(config *wire.Config, c *contact) {
	config.Connected = func(broker string, err error) bool {
		n.noteConnect(broker, err, time.Now())
		return c.onConnect(err)
	}
	config.Answered = func(_ protocol.ApiKey, err error) {
		c.onAnswer(err)
		if err == nil {
			n.noteAnswer()
		}
	}
}

// noteAnswer notes that a broker has answered.
func (n *network) noteAnswer() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answered = time.Now()
}

// silence is how long no broker answers before that is reported: one of several may.
const silence = 2 * time.Second

// silent returns why no broker answers, "" if one does.
func (n *network) silent(now time.Time) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.failed.After(n.answered) && now.Sub(n.answered) > silence {
		return n.reason
	}
	return ""
}
