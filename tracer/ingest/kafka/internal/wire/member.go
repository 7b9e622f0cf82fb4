package wire

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	kafka "github.com/segmentio/kafka-go"
)

// MemberConfig configures a member of a group.
type MemberConfig struct {
	Group     string
	Topic     string
	Session   time.Duration // after which others take over from a silent member
	Rebalance time.Duration // how long a member may take to join a new generation

	// Interrupted receives errors of joining, or of heartbeats; both are retried.
	Interrupted func(error)
}

// Member is a member of a group that reads a topic. Its partitions are assigned with Sticky. It is
// for one goroutine at a time, except for Beat and HasNewPartitions, which any may call.
type Member struct {
	cluster *Cluster
	config  MemberConfig
	id      string
	last    Subscription     // its partitions in the last generation
	known   map[string]int32 // partitions of the group's topics, at the member's last assignment
}

// NewMember returns a member that has not joined yet.
func (c *Cluster) NewMember(config MemberConfig) *Member {
	return &Member{cluster: c, config: config, last: Subscription{Topics: []string{config.Topic}, Generation: -1}}
}

// Generation is the time between two rebalances of a group, with the member's partitions.
type Generation struct {
	*Membership
	Partitions []int32
	// of the partitions of the group's topics, if the member has assigned them
	Counts map[string]int32

	group string
}

// Join joins the next generation. It retries until the context ends, or the group refuses the
// member.
func (m *Member) Join(ctx context.Context) (*Generation, error) {
	for {
		g, err := m.try(ctx)
		if err == nil {
			return g, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if refused(err) {
			return nil, err
		}
		// these are part of normal operation
		if !HasCode(err, kafka.RebalanceInProgress, kafka.UnknownMemberId, kafka.IllegalGeneration) {
			m.config.Interrupted(err)
		}
		Sleep(ctx, again)
	}
}

// HasCode reports whether an error is one of these answers of a broker.
func HasCode(err error, codes ...kafka.Error) bool {
	var code kafka.Error
	return errors.As(err, &code) && slices.Contains(codes, code)
}

// refused reports whether a group refuses a member for good.
func refused(err error) bool {
	return HasCode(err, kafka.GroupAuthorizationFailed, kafka.TopicAuthorizationFailed, kafka.InvalidGroupId,
		kafka.InconsistentGroupProtocol,
		kafka.InvalidSessionTimeout, kafka.GroupMaxSizeReached)
}

// try joins the next generation, or returns the reason why that is not possible for now.
func (m *Member) try(ctx context.Context) (*Generation, error) {
	joined, err := m.join(ctx)
	if HasCode(err, kafka.MemberIDRequired) {
		m.id = joined.Member
		joined, err = m.join(ctx)
	}
	if err != nil {
		if HasCode(err, kafka.UnknownMemberId, kafka.FencedInstanceID) {
			m.id = ""
		}
		return nil, err
	}
	m.id = joined.Member
	g := &Generation{Membership: joined, group: m.config.Group}
	var assignments map[string][]byte
	if joined.Leader {
		if assignments, g.Counts, err = m.assign(ctx, joined); err != nil {
			return nil, err
		}
	}
	assignment, err := m.cluster.Sync(ctx, m.config.Group, joined, assignments)
	if err != nil {
		if HasCode(err, kafka.UnknownMemberId) {
			m.id = ""
		}
		return nil, err
	}
	partitions, ok := ParseAssignment(assignment)
	if !ok {
		return nil, errors.New("the leader of the group has assigned partitions in a form that is damaged")
	}
	m.last.Owned, m.last.Generation = partitions, joined.Generation
	g.Partitions = slices.Sorted(slices.Values(partitions[m.config.Topic]))
	return g, nil
}

func (m *Member) join(ctx context.Context) (*Membership, error) {
	return m.cluster.Join(ctx, &JoinRequest{
		Group: m.config.Group, Member: m.id, Session: m.config.Session, Rebalance: m.config.Rebalance,
		Protocol: Sticky, Metadata: m.last.Encode(),
	})
}

// assign assigns the partitions of all topics that members read.
func (m *Member) assign(ctx context.Context, joined *Membership) (assignments map[string][]byte,
	counts map[string]int32,
	err error) {
	members, topics := map[string]Subscription{}, map[string]bool{}
	for id, metadata := range joined.Members {
		s, ok := ParseSubscription(metadata)
		if !ok { // it gets no partitions, but an answer
			s = Subscription{}
		}
		members[id] = s
		for _, topic := range s.Topics {
			topics[topic] = true
		}
	}
	if counts, err = m.count(ctx, slices.Sorted(maps.Keys(topics))); err != nil {
		return nil, nil, err
	}
	assignments = map[string][]byte{}
	for id, partitions := range Assign(members, counts) {
		assignments[id] = EncodeAssignment(partitions)
	}
	return assignments, counts, nil
}

// count asks for the numbers of partitions of topics. A broker may not have learned of all yet: if
// it knows fewer than the member, it is asked again, for as long as the group does not miss the
// member.
func (m *Member) count(ctx context.Context, topics []string) (counts map[string]int32, err error) {
	for until := time.Now().Add(m.config.Session / 2); ; Sleep(ctx, again) {
		counts, err = m.cluster.counts(ctx, m.config.Topic, topics)
		behind := HasCode(err, kafka.UnknownTopicOrPartition) || err == nil && grown(counts, m.known)
		if !behind || time.Now().After(until) {
			break
		}
	}
	if err == nil {
		m.known = counts
	}
	return counts, err
}

// counts returns the numbers of partitions of topics. Missing topics have none; needed, if it is
// not "", must exist.
func (c *Cluster) counts(ctx context.Context, needed string, topics []string) (map[string]int32, error) {
	found, err := c.Metadata(ctx, topics...)
	if err != nil {
		return nil, err
	}
	counts := map[string]int32{}
	for _, t := range found {
		if t.Err != nil && (t.Name == needed ||
			!HasCode(t.Err, kafka.UnknownTopicOrPartition, kafka.InvalidTopic, kafka.TopicAuthorizationFailed)) {
			return nil, t.Err
		}
		counts[t.Name] = int32(len(t.Leaders))
	}
	return counts, nil
}

// grown reports whether topics have more partitions than before, among those in both.
func grown(before, now map[string]int32) bool {
	for topic, n := range now {
		if was, both := before[topic]; both && n > was {
			return true
		}
	}
	return false
}

// HasNewPartitions reports whether topics have got partitions since the member's last assignment.
// Only the member that assigns checks.
func (m *Member) HasNewPartitions(ctx context.Context, g *Generation) bool {
	if len(g.Counts) == 0 {
		return false
	}
	counts, err := m.cluster.counts(ctx, "", slices.Sorted(maps.Keys(g.Counts)))
	return err == nil && grown(g.Counts, counts)
}

// Beat sends heartbeats until the context ends. It calls over once with nil when a new generation
// is to be joined, and continues, which gives the member time to save its state. It returns why the
// member is out of the group, nil if it is not.
func (m *Member) Beat(ctx context.Context, g *Generation, over func()) error {
	interval := m.config.Session / 6
	tick := time.NewTicker(interval)
	defer tick.Stop()
	heard, told := time.Now(), false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		limited, stop := context.WithTimeout(ctx, m.config.Session/2)
		err := m.cluster.Heartbeat(limited, g.group, g.Membership)
		stop()
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			heard = time.Now()
		case HasCode(err, kafka.RebalanceInProgress):
			heard = time.Now()
			if !told {
				told = true
				over()
			}
		case HasCode(err, kafka.UnknownMemberId, kafka.IllegalGeneration, kafka.FencedInstanceID), refused(err):
			return err
		case time.Since(heard) > m.config.Session:
			return err
		}
	}
}

// Lost drops the member's partitions: others have them.
func (m *Member) Lost(why error) {
	m.last.Owned, m.last.Generation = nil, -1
	if HasCode(why, kafka.UnknownMemberId, kafka.FencedInstanceID) {
		m.id = ""
	}
}

// Leave leaves the group, which then need not wait for the end of the session.
func (m *Member) Leave(ctx context.Context) error {
	if m.id == "" {
		return nil
	}
	return m.cluster.Leave(ctx, m.config.Group, m.id)
}
