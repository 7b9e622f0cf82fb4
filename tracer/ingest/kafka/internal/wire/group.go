package wire

import (
	"cmp"
	"context"
	"time"

	"github.com/segmentio/kafka-go/protocol"
)

// consumers is the type of groups whose members read topics.
const consumers = "consumer"

// JoinRequest asks to become a member of a group, or to remain one in a new generation.
type JoinRequest struct {
	Group     string
	Member    string        // "" for a new one
	Session   time.Duration // after which a silent member is removed
	Rebalance time.Duration // how long members may take to join a new generation
	Protocol  string        // how partitions are assigned
	Metadata  []byte        // for the member that assigns
}

// Membership is a member of a generation.
type Membership struct {
	Member     string
	Generation int32
	Leader     bool              // it assigns the partitions
	Members    map[string][]byte // the metadata of all, if it does
}

// Join waits until the members of a group are known. With kafka.MemberIDRequired it returns the id
// to join with.
func (c *Cluster) Join(ctx context.Context, j *JoinRequest) (*Membership, error) {
	a, err := c.toCoordinator(ctx, j.Group,
		&request{key: protocol.JoinGroup, maxVersion: 4, body: func(e *encoder, _ int16) {
			e.string(j.Group)
			e.int32(int32(j.Session.Milliseconds()))
			e.int32(int32(j.Rebalance.Milliseconds()))
			e.string(j.Member)
			e.string(consumers)
			e.array(1)
			e.string(j.Protocol)
			e.bytes(j.Metadata)
		}}, j.Rebalance)
	if err != nil {
		return nil, err
	}
	return parseMembership(a)
}

func parseMembership(a *answer) (*Membership, error) {
	a.int32() // throttle
	err := errorOf(a.int16())
	joined := &Membership{Generation: a.int32(), Members: map[string][]byte{}}
	a.string() // protocol
	leader := a.string()
	joined.Member = a.string()
	joined.Leader = leader == joined.Member
	for range a.elements() {
		member := a.string()
		joined.Members[member] = a.bytes()
	}
	return joined, cmp.Or(a.checkComplete(), err)
}

// Sync returns the assignment of a member. The leader passes those of all.
func (c *Cluster) Sync(ctx context.Context, group string, as *Membership, assignments map[string][]byte) ([]byte,
	error) {
	a, err := c.toCoordinator(ctx, group,
		&request{key: protocol.SyncGroup, maxVersion: 2, body: func(e *encoder, _ int16) {
			e.string(group)
			e.int32(as.Generation)
			e.string(as.Member)
			e.array(len(assignments))
			for member, assignment := range assignments {
				e.string(member)
				e.bytes(assignment)
			}
		}}, 0)
	if err != nil {
		return nil, err
	}
	a.int32() // throttle
	err = errorOf(a.int16())
	assignment := a.bytes()
	return assignment, cmp.Or(a.checkComplete(), err)
}

// Leave removes a member.
func (c *Cluster) Leave(ctx context.Context, group, member string) error {
	a, err := c.toCoordinator(ctx, group,
		&request{key: protocol.LeaveGroup, maxVersion: 2, body: func(e *encoder, _ int16) {
			e.string(group)
			e.string(member)
		}}, 0)
	if err != nil {
		return err
	}
	a.int32() // throttle
	err = errorOf(a.int16())
	return cmp.Or(a.checkComplete(), err)
}

// Heartbeat is a sign of life of a member. The error may be that a new generation begins.
func (c *Cluster) Heartbeat(ctx context.Context, group string, as *Membership) error {
	a, err := c.toCoordinator(ctx, group,
		&request{key: protocol.Heartbeat, maxVersion: 3, body: func(e *encoder, version int16) {
			e.string(group)
			e.int32(as.Generation)
			e.string(as.Member)
			if version >= 3 {
				e.null() // no static member
			}
		}}, 0)
	if err != nil {
		return err
	}
	if a.version >= 1 {
		a.int32() // throttle
	}
	err = errorOf(a.int16())
	return cmp.Or(a.checkComplete(), err)
}
