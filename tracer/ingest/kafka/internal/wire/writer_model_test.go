package wire

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	kafka "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"
)

// modelCluster is what a Writer asks of brokers, with partitions that are lists. Whatever can go
// wrong does, until it is calm.
type modelCluster struct {
	mu        sync.Mutex
	random    *rand.Rand
	brokers   int32
	calm      bool
	forgets   bool // it may not know producers any more
	small     bool // partitions may take smaller batches than the writer knows
	denied    int  // how often it has said that there is no topic since it has said what there is
	logs      []modelLog
	producers int64
	// requests that were given up, and arrive later
	late sync.WaitGroup
	// if it is not nil, what comes before an answer
	produceAll func(ctx context.Context, broker int32, writes []Write) error
}

// modelLog is a partition.
type modelLog struct {
	leader    int32
	values    []string
	most      int // bytes of a batch
	producers map[Producer]*modelProducer
}

// modelProducer is what a partition knows of a producer.
type modelProducer struct {
	next     int32
	last     [][2]int32 // sequences of the last batches, first and last
	unwanted bool       // it is not known any more
}

func newModelCluster(seed uint64, brokers, partitions int32) *modelCluster {
	m := &modelCluster{random: rand.New(rand.NewPCG(seed, 0)), brokers: brokers}
	for range partitions {
		m.logs = append(m.logs, modelLog{leader: m.random.Int32N(brokers), most: 1 << 20,
			producers: map[Producer]*modelProducer{}})
	}
	return m
}

// odds reports true once in so many times, and never when it is calm. The lock is held.
func (m *modelCluster) odds(n int) bool { return !m.calm && m.random.IntN(n) == 0 }

var errCut = fmt.Errorf("read: %w", io.ErrUnexpectedEOF)

func (m *modelCluster) TakesZstd() bool { return false }

func (m *modelCluster) Metadata(_ context.Context, topics ...string) ([]Topic, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.odds(4):
		return nil, errCut
	case m.odds(8):
		return []Topic{{Name: topics[0], Err: kafka.LeaderNotAvailable}}, nil
	case m.denied < missingOften && m.odds(8):
		m.denied++
		return []Topic{{Name: topics[0], Err: kafka.UnknownTopicOrPartition}}, nil
	}
	m.denied = 0
	t := Topic{Name: topics[0], Leaders: map[int32]Leader{}}
	for p := range m.logs {
		t.Leaders[int32(p)] = Leader{m.logs[p].leader, 0}
	}
	return []Topic{t}, nil
}

func (m *modelCluster) NewProducer(context.Context, int32) (Producer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.odds(4) {
		return NoProducer, []error{errCut, kafka.GroupLoadInProgress}[m.random.IntN(2)]
	}
	m.producers++
	return Producer{m.producers, 0}, nil
}

// ProduceAll takes a request, or loses it, or the answer, or lets it arrive after the client has
// given up.
func (m *modelCluster) ProduceAll(ctx context.Context, broker int32, writes []Write) ([]WriteResult, error) {
	if m.produceAll != nil {
		if err := m.produceAll(ctx, broker, writes); err != nil {
			return nil, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var held []Write
	for _, w := range writes {
		held = append(held, Write{w.TopicPartition, slices.Clone(w.Batch)})
	}
	for p := range m.logs {
		if m.odds(20) {
			m.logs[p].leader = m.random.Int32N(m.brokers+1) - 1
		}
		if m.small && m.odds(4) {
			m.logs[p].most = []int{1 << 20, EmptyBatch + 180}[m.random.IntN(2)]
		}
	}
	switch {
	case m.odds(8):
		return nil, &ConnectError{"broker", syscall.ECONNREFUSED}
	case m.odds(8):
		return nil, errCut
	case m.odds(8):
		m.take(broker, held)
		return nil, errCut
	case m.odds(8):
		d := time.Duration(m.random.IntN(3000)) * time.Millisecond
		m.late.Go(func() {
			time.Sleep(d)
			m.mu.Lock()
			defer m.mu.Unlock()
			m.take(broker, held)
		})
		return nil, context.DeadlineExceeded
	}
	return m.take(broker, held), nil
}

func (m *modelCluster) take(broker int32, writes []Write) (all []WriteResult) {
	for _, w := range writes {
		all = append(all, WriteResult{w.TopicPartition, 0, m.append(broker, w)})
	}
	return all
}

// append appends a batch as a broker does.
func (m *modelCluster) append(broker int32, w Write) error {
	log := &m.logs[w.Partition]
	switch {
	case log.leader != broker:
		return kafka.NotLeaderForPartition
	case len(w.Batch) > log.most:
		return kafka.MessageSizeTooLarge
	case m.odds(20):
		return kafka.NotEnoughReplicas
	case m.odds(20):
		return kafka.UnknownTopicOrPartition
	}
	by := Producer{int64(binary.BigEndian.Uint64(w.Batch[producerAt:])),
		int16(binary.BigEndian.Uint16(w.Batch[producerAt+8:]))}
	first := int32(binary.BigEndian.Uint32(w.Batch[producerAt+10:]))
	values, err := valuesOf(w.Batch)
	if err != nil {
		return kafka.InvalidMessage
	}
	last := (first + int32(len(values)) - 1) & 0x7fffffff
	known := log.producers[by]
	if known == nil {
		known = &modelProducer{}
		log.producers[by] = known
	}
	known.unwanted = known.unwanted || m.forgets && m.odds(6)
	switch {
	case known.unwanted:
		return []error{kafka.OutOfOrderSequenceNumber, kafka.UnknownProducerId,
			kafka.InvalidProducerEpoch}[m.random.IntN(3)]
	case slices.Contains(known.last, [2]int32{first, last}):
		return []error{nil, kafka.DuplicateSequenceNumber}[m.random.IntN(2)]
	case first != known.next:
		return kafka.OutOfOrderSequenceNumber
	}
	known.next = (last + 1) & 0x7fffffff
	known.last = append(known.last, [2]int32{first, last})
	known.last = known.last[max(0, len(known.last)-5):]
	log.values = append(log.values, values...)
	if m.odds(20) {
		return []error{kafka.NotEnoughReplicasAfterAppend, kafka.RequestTimedOut,
			kafka.NotLeaderForPartition}[m.random.IntN(3)]
	}
	return nil
}

// valuesOf returns what is in a batch whose checksum is right.
func valuesOf(batch []byte) (values []string, err error) {
	d := NewDecoder(1 << 20)
	defer d.Close()
	records, _, err := d.Decode(nil, &Partition{Batches: batch}, 0)
	for _, r := range records {
		values = append(values, string(r.Value))
	}
	var b kmsg.RecordBatch
	return values, errors.Join(err, b.ReadFrom(batch))
}

// modelFates is what has become of records.
type modelFates struct {
	mu    sync.Mutex
	fates map[string][]error
}

func (f *modelFates) done(value string) func(error) {
	return func(err error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.fates[value] = append(f.fates[value], err)
	}
}

// check compares a partition with what was put there.
func (f *modelFates) check(put, log []string, mayLose bool) error {
	var delivered, got []string
	for _, v := range put {
		switch fate := f.fates[v]; {
		case len(fate) != 1:
			return fmt.Errorf("%s has %d fates", v, len(fate))
		case fate[0] == nil:
			delivered = append(delivered, v)
		case !mayLose:
			return fmt.Errorf("%s is lost: %w", v, fate[0])
		}
	}
	seen := map[string]bool{}
	for _, v := range log {
		if seen[v] {
			return fmt.Errorf("%s is there twice", v)
		}
		seen[v] = true
		if f.fates[v][0] == nil {
			got = append(got, v)
		}
	}
	if !slices.Equal(got, delivered) {
		return fmt.Errorf("delivered %v\nbut there is %v", delivered, got)
	}
	return nil
}

// A record that is delivered is there once and in its place, whatever happens to requests and
// answers, and none is lost unless brokers forget who has sent it or do not take its size.
func TestWriterAgainstModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		begin := rapid.Uint64().Draw(rt, "seed")
		forgets, small := rapid.Bool().Draw(rt, "forgets"), rapid.Bool().Draw(rt, "small")
		records := rapid.IntRange(1, 200).Draw(rt, "records")
		first := rapid.SampledFrom([]int32{0, 0x7fffffff - 5}).Draw(rt, "first sequence")
		var failed error
		for seed := range 5 {
			synctest.Test(t, func(*testing.T) {
				failed = playModel(begin+uint64(seed), records, first, forgets,
					small)
			})
			if failed != nil {
				rt.Fatal(failed)
			}
		}
	})
}

const modelPartitions = 3

func playModel(seed uint64, records int, first int32, forgets, small bool) error {
	m := newModelCluster(seed, 3, modelPartitions)
	m.forgets, m.small = forgets, small
	w := newWriter(m, 1000, topic)
	defer w.Close()
	fates := modelFates{fates: map[string][]error{}}
	put := make([][]string, modelPartitions)
	random := rand.New(rand.NewPCG(seed, 1))
	if first > 0 {
		for p := range int32(modelPartitions) {
			by := Producer{1000, 0}
			w.queues[TopicPartition{topic, p}] = &queue{TopicPartition: TopicPartition{topic, p}, leader: -1, limit: 1000, by: by,
				sequence: first}
			m.logs[p].producers[by] = &modelProducer{next: first}
		}
	}
	for i := range records {
		p := random.Int32N(modelPartitions)
		value := fmt.Sprintf("%d of %d %*d", i, p, random.IntN(140), 0)
		put[p] = append(put[p], value)
		w.Put(TopicPartition{topic, p}, Record{Value: []byte(value)}, fates.done(value))
		if random.IntN(8) == 0 {
			time.Sleep(time.Duration(random.IntN(400)) * time.Millisecond)
		}
	}
	m.mu.Lock()
	m.calm = true
	for p := range m.logs {
		m.logs[p].leader = max(0, m.logs[p].leader)
	}
	m.mu.Unlock()
	ctx, stop := context.WithTimeout(context.Background(), time.Hour)
	defer stop()
	if err := w.Flush(ctx); err != nil {
		return fmt.Errorf("flush: %w", err)
	}
	m.late.Wait()
	for p := range put {
		if err := fates.check(put[p], m.logs[p].values, forgets || small); err != nil {
			return fmt.Errorf("partition %d: %w", p, err)
		}
	}
	return nil
}

// A broker that takes requests and does not answer keeps nothing from partitions of other brokers,
// nor from the end.
func TestWriterStuckBroker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModelCluster(1, 2, 2)
		m.calm = true
		m.logs[0].leader, m.logs[1].leader = 0, 1
		m.produceAll = func(ctx context.Context, broker int32, _ []Write) error {
			if broker == 1 {
				return nil
			}
			limited, stop := context.WithTimeout(ctx, 2*patience)
			defer stop()
			<-limited.Done()
			return limited.Err()
		}
		w := newWriter(m, 1000, topic)
		stuck, fine := make(chan error, 1000), make(chan error, 1000)
		start := time.Now()
		for range 1000 {
			w.Put(TopicPartition{topic, 0}, Record{Value: []byte("stuck")}, func(err error) { stuck <- err })
			w.Put(TopicPartition{topic, 1}, Record{Value: []byte("fine")}, func(err error) { fine <- err })
		}
		for range 1000 {
			if err := <-fine; err != nil {
				t.Fatal(err)
			}
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("the other broker has waited for %s", d)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if err := w.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 4*time.Second {
			t.Errorf("%v, behind %s", err, time.Since(start))
		}
		w.Close()
		if d := time.Since(start); d > 4*time.Second || len(stuck) != 1000 {
			t.Errorf("closed behind %s, and %d records are lost", d, len(stuck))
		}
	})
}

// Brokers that have no such topic, or not that partition, are asked a few times before records are
// lost.
func TestWriterNoTopic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModelCluster(1, 1, 1)
		m.calm = true
		w := newWriter(m, 1000, topic)
		defer w.Close()
		fate := make(chan error, 2)
		w.Put(TopicPartition{topic, 7}, Record{}, func(err error) { fate <- err })
		if err := <-fate; !errors.Is(err, kafka.UnknownTopicOrPartition) {
			t.Error(err)
		}
		w.Put(TopicPartition{topic, 0}, Record{Value: make([]byte, 2000)}, func(err error) { fate <- err })
		if err := <-fate; !errors.Is(err, kafka.MessageSizeTooLarge) {
			t.Error(err)
		}
		w.Put(TopicPartition{topic, 0}, Record{}, func(err error) { fate <- err })
		if err := <-fate; err != nil {
			t.Error(err)
		}
	})
}

// A Flush waits for what was put before, while others put more, and for all of that.
func TestWriterFlushAmongOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModelCluster(1, 1, 2)
		m.calm = true
		m.produceAll = func(context.Context, int32, []Write) error {
			time.Sleep(10 * time.Millisecond)
			return nil
		}
		w := newWriter(m, 10_000, topic)
		var others sync.WaitGroup
		ctx, stop := context.WithCancel(t.Context())
		others.Go(func() {
			for ctx.Err() == nil {
				w.Put(TopicPartition{topic, 0}, Record{Value: []byte("other")}, func(error) {})
				time.Sleep(time.Millisecond)
			}
		})
		for range 20 {
			var delivered atomic.Int32
			for p := range int32(2) {
				w.Put(TopicPartition{topic, p}, Record{Value: []byte("mine")}, func(err error) {
					if err == nil {
						delivered.Add(1)
					}
				})
			}
			start := time.Now()
			limited, cancel := context.WithTimeout(t.Context(), time.Minute)
			if err := w.Flush(limited); err != nil || delivered.Load() != 2 {
				t.Fatalf("%d delivered after %s: %v", delivered.Load(), time.Since(start), err)
			}
			cancel()
		}
		stop()
		others.Wait()
		if err := w.Flush(t.Context()); err != nil {
			t.Error(err)
		}
		w.Close()
		if len(w.earlier) > 0 || w.current.waiting > 0 {
			t.Errorf("%d crowds, %d records in the last", len(w.earlier), w.current.waiting)
		}
	})
}
