// A server of one node is shut down while it takes a snapshot.
package main

import (
	"fmt"
	"io"
	"time"

	"github.com/hashicorp/raft"
)

type machine struct{}

func (machine) Apply(*raft.Log) interface{}         { return nil }
func (machine) Snapshot() (raft.FSMSnapshot, error) { return machine{}, nil }
func (machine) Restore(io.ReadCloser) error         { return nil }
func (machine) Persist(s raft.SnapshotSink) error   { return s.Close() }
func (machine) Release()                            {}

func main() {
	c := raft.DefaultConfig()
	c.LocalID, c.LogOutput = "a", io.Discard
	c.HeartbeatTimeout, c.ElectionTimeout = 50*time.Millisecond, 50*time.Millisecond
	c.LeaderLeaseTimeout = 50 * time.Millisecond
	store, snapshots := raft.NewInmemStore(), raft.NewInmemSnapshotStore()
	address, transport := raft.NewInmemTransport("")
	servers := raft.Configuration{Servers: []raft.Server{{ID: "a", Address: address}}}
	if err := raft.BootstrapCluster(c, store, store, snapshots, transport, servers); err != nil {
		panic(err)
	}
	node, err := raft.NewRaft(c, machine{}, store, store, snapshots, transport)
	if err != nil {
		panic(err)
	}
	<-node.LeaderCh()
	fmt.Println("applied:", node.Apply([]byte("x"), time.Second).Error())
	taken := node.Snapshot()
	fmt.Println("shut down:", node.Shutdown().Error())
	fmt.Println("snapshot:", taken.Error())
}
