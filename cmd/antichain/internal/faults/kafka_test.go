//go:build unix

package faults

import (
	"net"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/antichain-go/antichain/internal/kafkatest"
)

// faultKafka is the Kafka of the environment, or one in this process, which can do more harm.
type faultKafka struct {
	brokers []string
	real    *kafkatest.Cluster // or
	fake    *kfake.Cluster     // nil while it is killed
	options []kfake.Opt
}

// newFaultKafka starts a Kafka of some brokers, if there is none.
func newFaultKafka(t *testing.T, brokers int) *faultKafka {
	if os.Getenv("ANTICHAIN_KAFKA") != "" {
		c := kafkatest.New(t)
		return &faultKafka{brokers: c.Plaintext, real: c}
	}
	return newFake(t, brokers)
}

func newFake(t *testing.T, brokers int) *faultKafka {
	k := &faultKafka{options: []kfake.Opt{
		kfake.NumBrokers(brokers), kfake.DataDir(t.TempDir()), kfake.GroupMinSessionTimeout(100 * time.Millisecond),
	}}
	k.startFake(t)
	k.brokers = k.fake.ListenAddrs()
	var ports []int
	for _, b := range k.brokers {
		_, port, err := net.SplitHostPort(b)
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(port)
		if err != nil {
			t.Fatal(err)
		}
		ports = append(ports, n)
	}
	k.options = append(k.options, kfake.Ports(ports...))
	t.Cleanup(func() {
		if k.fake != nil {
			k.fake.Close()
		}
	})
	return k
}

// startFake starts it. The fake one waits for members that have died until all have to be back, and
// the real one until their session is over; so the time to be back is short.
func (k *faultKafka) startFake(t *testing.T) {
	var err error
	if k.fake, err = kfake.NewCluster(k.options...); err != nil {
		t.Fatal(err)
	}
	c := k.fake
	c.ControlKey(int16(kmsg.JoinGroup), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		r.(*kmsg.JoinGroupRequest).RebalanceTimeoutMillis = 2000
		return nil, nil, false
	})
}

// kill ends a broker; the fake one all of them.
func (k *faultKafka) kill(t *testing.T, number int) {
	if k.real != nil {
		k.real.Kill(t, number)
		return
	}
	k.fake.Close()
	k.fake = nil
}

// restart starts again what was killed.
func (k *faultKafka) restart(t *testing.T, number int) {
	if k.real != nil {
		k.real.Restart(t, number)
		return
	}
	k.startFake(t)
}
