package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	client "github.com/segmentio/kafka-go"

	"github.com/antichain-go/antichain/tracer/ingest/kafka/internal/wire"
)

// firstContact is how long brokers may take to answer for the first time.
const firstContact = 10 * time.Second

// retryInterval is the time between two attempts to reach a cluster that does not answer.
const retryInterval = 200 * time.Millisecond

// A broker that closes the first connections without an answer may require TLS or a login, or be
// starting or stopping. It is the former if it does so for as long as hangingUp, or closes as many
// as logins connections that log in: more attempts could lock the user out.
const (
	hangingUp = 3 * time.Second
	logins    = 3
)

// contact watches the connections of a client. It ends the client after an error that no retry can
// resolve: otherwise the client would keep trying, and brokers lock out a user with repeated wrong
// passwords.
type contact struct {
	to       Address
	security Security
	end      context.CancelCauseFunc // of all work of the client

	mu      sync.Mutex
	met     bool  // a broker has answered, after the login
	refused bool  // it has ended the client
	trouble error // of the last connection, nil if there is none
	// connections that were closed without an answer since the brokers were last unreachable
	cut   int
	since time.Time // the first of these was
}

// onConnect receives the outcome of each attempt to connect and log in, in any goroutine. It
// reports whether to go on.
func (c *contact) onConnect(err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.noteError(err)
	return !c.refused
}

// onAnswer receives the outcome of each request.
func (c *contact) onAnswer(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var code client.Error
	if errors.As(err, &code) { // an error code is an answer, too
		err = nil
	}
	c.noteOutcome(err)
}

// noteOutcome notes the outcome of a request that was sent to a broker.
func (c *contact) noteOutcome(err error) {
	if err == nil && !c.met {
		c.met = true
		answeredAddresses.Store(c.key(), true)
	}
	c.noteError(err)
}

// noteError notes an error, nil if all is well.
func (c *contact) noteError(err error) {
	var timeout net.Error
	// a timeout may only mean that this side has stopped trying
	if c.trouble == nil || !errors.As(err, &timeout) || !timeout.Timeout() {
		c.trouble = err
	}
	if err == nil {
		return
	}
	r := c.security.refusal(err)
	if r == nil && !c.met && c.hangsUp(err, time.Now()) {
		r = c.security.cutShort()
	}
	if r != nil {
		c.refused = true
		c.end(fmt.Errorf("%s: %w", c.to, r))
	}
}

// hangsUp reports whether brokers hang up because they expect another protocol.
func (c *contact) hangsUp(err error, now time.Time) bool {
	if !hungUp(err) {
		c.cut = 0
		return false
	}
	if c.cut++; c.cut == 1 {
		c.since = now
	}
	return now.Sub(c.since) >= hangingUp || c.security.SASL != "" && c.cut >= logins
}

// why says why brokers cannot be reached, as far as that is known.
func (c *contact) why() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return describeUnreachable(c.trouble)
}

// missingOften is how often brokers must report that a topic does not exist: one may not have
// learned of it yet.
const missingOften = 3

// waitForTopic waits until a broker reports that the topic exists. end ends ctx.
func (c *contact) waitForTopic(ctx context.Context, cluster *wire.Cluster, patience time.Duration) error {
	looked := 0
	return c.waitForAnswer(ctx, patience, func(ctx context.Context) error {
		_, err := find(ctx, cluster, c.to.Topic)
		if err == nil {
			return nil
		}
		if isUnknown(err) {
			if looked++; looked < missingOften {
				return err
			}
		}
		return c.explain(err)
	})
}

// answeredAddresses are the addresses at which a broker has answered a client of this process. They
// are right, so later clients wait there for as long as those that already work.
var answeredAddresses sync.Map

func (c *contact) key() string { return strings.Join(c.to.Brokers, ",") }

// patience is how long a client of a monitor waits for the first answer; 0 is forever.
func (c *contact) patience() time.Duration {
	if _, ok := answeredAddresses.Load(c.key()); ok {
		return 0
	}
	return firstContact
}

// waitForAnswer asks until a broker answers; a patience of 0 has no end.
func (c *contact) waitForAnswer(ctx context.Context, patience time.Duration, ask func(context.Context) error) error {
	limited, stop := context.WithTimeout(ctx, patience)
	if patience == 0 {
		limited, stop = context.WithCancel(ctx)
	}
	defer stop()
	for pause := retryInterval; ; pause = min(2*pause, 4*retryInterval) {
		err := ask(limited)
		var refused *Refusal
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.As(err, &refused):
			return fmt.Errorf("%s: %w", c.to, refused)
		}
		select {
		case <-time.After(pause):
		case <-limited.Done():
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if errors.As(c.explain(err), &refused) {
				return fmt.Errorf("%s: %w", c.to, refused)
			}
			return c.unansweredError(patience)
		}
	}
}

// unansweredError is the error that brokers have not answered for so long: they hang up, or are
// unreachable.
func (c *contact) unansweredError(long time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.met && c.trouble != nil && hungUp(c.trouble) {
		return fmt.Errorf("%s: %w", c.to, c.security.cutShort())
	}
	return &awayError{c.to, long, describeUnreachable(c.trouble)}
}

// insist retries until it succeeds, or fails for another reason than unreachable brokers. They have
// answered, so the address is right, and they will be back: a restart may take longer than
// firstContact.
func insist(ctx context.Context, try func() error) error {
	for {
		err := try()
		if err == nil || !isTransient(err) || ctx.Err() != nil {
			return err
		}
		wire.Sleep(ctx, retryInterval)
	}
}

// persist retries until it succeeds, or fails for another reason than brokers that are unreachable,
// do not answer, or do not know each other.
func persist(ctx context.Context, try func() error) error {
	for {
		err := try()
		if err == nil || !isTransient(err) && !isUnsettled(err) || ctx.Err() != nil {
			return err
		}
		if wire.Sleep(ctx, retryInterval); ctx.Err() != nil {
			return err
		}
	}
}

// isTransient reports whether an error is that a broker is unreachable, or does not answer.
func isTransient(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) || hungUp(err) || errors.Is(err, context.DeadlineExceeded)
}

// settle retries for a while, until brokers know each other, and the leaders of a topic.
func settle(ctx context.Context, try func() error) error {
	limited, stop := context.WithTimeout(ctx, firstContact)
	defer stop()
	for {
		err := try()
		if !isUnsettled(err) {
			return err
		}
		if wire.Sleep(limited, retryInterval); limited.Err() != nil {
			return err
		}
	}
}

// isUnsettled reports whether an error is that brokers do not yet know the leader of a partition,
// or the coordinator of a group.
func isUnsettled(err error) bool {
	return wire.HasCode(err, client.LeaderNotAvailable, client.NotLeaderForPartition, client.BrokerNotAvailable,
		client.ReplicaNotAvailable,
		client.OffsetNotAvailable, client.FencedLeaderEpoch, client.UnknownLeaderEpoch, client.KafkaStorageError,
		client.NotEnoughReplicas, client.NotEnoughReplicasAfterAppend, client.RequestTimedOut, client.NetworkException,
		client.GroupLoadInProgress, client.GroupCoordinatorNotAvailable, client.NotCoordinatorForGroup,
		client.UnstableOffsetCommit)
}

// isUnknown reports whether an error is that a broker knows no such topic.
func isUnknown(err error) bool {
	return wire.HasCode(err, client.UnknownTopicOrPartition, client.UnknownTopicID)
}

// explain returns the *Refusal behind an answer of a broker, or the answer.
func (c *contact) explain(err error) error {
	if isUnknown(err) {
		return &Refusal{"there is no such topic",
			fmt.Sprintf("create it, for example with kafka-topics.sh --create --topic %s --partitions 12", c.to.Topic)}
	}
	if r := c.security.refusal(err); r != nil {
		return r
	}
	return err
}

// awayError says that no broker can be reached.
type awayError struct {
	to   Address
	long time.Duration
	why  string
}

func (e *awayError) Error() string {
	return fmt.Sprintf("%s: no broker has answered for %s (%s): are they running, and is the address right?", e.to,
		e.long, e.why)
}
