// The average load is looked at while a member is added.
package main

import (
	"fmt"
	"hash/crc32"
	"sync"

	"github.com/buraksezer/consistent"
)

type member string

func (m member) String() string { return string(m) }

type hasher struct{}

func (hasher) Sum64(data []byte) uint64 { return uint64(crc32.ChecksumIEEE(data)) }

func main() {
	c := consistent.New([]consistent.Member{member("a"), member("b")}, consistent.Config{
		PartitionCount: 7, ReplicationFactor: 3, Load: 1.5, Hasher: hasher{}})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.Add(member("c"))
	}()
	for range 3 {
		fmt.Println(c.AverageLoad() > 0)
	}
	fmt.Println(len(c.LoadDistribution()) > 0)
	wg.Wait()
}
