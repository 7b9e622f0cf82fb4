package wire

import (
	"context"
	"fmt"
	"time"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/joingroup"
	"github.com/segmentio/kafka-go/protocol/syncgroup"
)

// consumers is the type of the groups whose members read topics.
const consumers = "consumer"

// JoinRequest asks to become a member of a group, or to remain one in a new generation.
type JoinRequest struct {
	Group     string
	Member    string        // "" for a new one
	Session   time.Duration // after which a member is gone that is not heard of
	Rebalance time.Duration // how long members may take to join a new generation
	Protocol  string        // how partitions are assigned
	Metadata  []byte        // for whoever does that
}

// Joined is a member of a generation.
type Joined struct {
	Member     string
	Generation int32
	Leader     bool              // it assigns the partitions
	Members    map[string][]byte // the metadata of all, if it does
}

// Join waits until the members of a group are known. With kafka.MemberIDRequired it returns the id to join with.
func (c *Cluster) Join(ctx context.Context, j *JoinRequest) (*Joined, error) {
	m, err := c.RoundTrip(ctx, c.address, &joingroup.Request{
		GroupID:            j.Group,
		SessionTimeoutMS:   int32(j.Session.Milliseconds()),
		RebalanceTimeoutMS: int32(j.Rebalance.Milliseconds()),
		MemberID:           j.Member,
		ProtocolType:       consumers,
		Protocols:          []joingroup.RequestProtocol{{Name: j.Protocol, Metadata: j.Metadata}},
	})
	if err != nil {
		return nil, fmt.Errorf("%v: %w", protocol.JoinGroup, err)
	}
	r := m.(*joingroup.Response)
	joined := &Joined{Member: r.MemberID, Generation: r.GenerationID, Leader: r.LeaderID == r.MemberID, Members: map[string][]byte{}}
	for _, member := range r.Members {
		joined.Members[member.MemberID] = member.Metadata
	}
	return joined, errorOf(r.ErrorCode)
}

// Sync returns the assignment of a member. The leader says those of all.
func (c *Cluster) Sync(ctx context.Context, group string, as *Joined, name string, assignments map[string][]byte) ([]byte, error) {
	r := &syncgroup.Request{
		GroupID: group, GenerationID: as.Generation, MemberID: as.Member, ProtocolType: consumers, ProtocolName: name,
	}
	for member, assignment := range assignments {
		r.Assignments = append(r.Assignments, syncgroup.RequestAssignment{MemberID: member, Assignment: assignment})
	}
	m, err := c.RoundTrip(ctx, c.address, r)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", protocol.SyncGroup, err)
	}
	answer := m.(*syncgroup.Response)
	return answer.Assignments, errorOf(answer.ErrorCode)
}

// Heartbeat says that a member is there. The error may be that a new generation begins.
func (c *Cluster) Heartbeat(ctx context.Context, group string, as *Joined) error {
	a, err := c.toCoordinator(ctx, group, &request{key: protocol.Heartbeat, highest: 3, body: func(e *encoder, version int16) {
		e.string(group)
		e.int32(as.Generation)
		e.string(as.Member)
		if version >= 3 {
			e.null() // no static member
		}
	}})
	if err != nil {
		return err
	}
	if a.version >= 1 {
		a.int32() // throttle
	}
	err = errorOf(a.int16())
	if bad := a.whole(); bad != nil {
		return bad
	}
	return err
}
