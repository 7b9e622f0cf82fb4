package wire

import (
	"errors"
	"math"
	"slices"
	"time"

	kafka "github.com/segmentio/kafka-go"
)

// pending is a record that is neither delivered nor lost.
type pending struct {
	Record
	done  func(error)
	size  int // in a batch before compression
	group *flushGroup
}

// queue has the waiting records of a partition. While it is busy, the batch belongs to the
// goroutine that sends it.
type queue struct {
	TopicPartition
	leader  int32     // -1 if unknown
	missing int       // how often brokers have reported that the partition does not exist
	busy    bool      // a request is in progress
	after   time.Time // when to try again

	batch   []pending // being sent, or to be sent again
	bytes   []byte    // the encoded batch; nil before encoding
	waiting []pending // for the next batches
	limit   int       // bytes of a batch before compression

	by       Producer // NoProducer if unknown
	sequence int32    // of the first record of the batch
	own      bool     // the producer is of this partition alone
	broken   int      // how often brokers have not known it since they last took a batch
	// number of records that brokers may have taken, those of the batch and the next ones
	doubt int
	kept  bool // a request that was given up may still read the bytes
}

// brokenOften is how often brokers may not know a new producer before a batch is lost.
const brokenOften = 3

// idle reports whether there is something to send, and no request is in progress.
func (q *queue) idle() bool { return !q.busy && len(q.batch)+len(q.waiting) > 0 }

// fill takes the next batch, unless there is one to send again.
func (q *queue) fill() {
	if len(q.batch) > 0 {
		return
	}
	n, size := 0, EmptyBatch
	for n < len(q.waiting) && (n == 0 || size+q.waiting[n].size <= q.limit) {
		size += q.waiting[n].size
		n++
	}
	q.batch, q.waiting = q.waiting[:n:n], q.waiting[n:]
}

// size returns the bytes of the batch before compression.
func (q *queue) size() int {
	size := EmptyBatch
	for i := range q.batch {
		size += q.batch[i].size
	}
	return size
}

func (q *queue) encode(zstd bool) {
	if q.bytes != nil {
		return
	}
	records := make([]Record, len(q.batch))
	for i := range q.batch {
		records[i] = q.batch[i].Record
	}
	q.bytes = AppendBatch(spare.get(), records, q.by, q.sequence, zstd)
}

// drop drops the encoded batch.
func (q *queue) drop() {
	if q.bytes != nil && !q.kept {
		spare.put(q.bytes)
	}
	q.bytes, q.kept = nil, false
}

// gathering is how long records in quick succession wait for more. Many small batches take more
// processor time than a large one, here and at the broker.
const gathering = 5 * time.Millisecond

// mergeWaiting makes records that came during a request wait for more, unless they fill a batch.
func (q *queue) mergeWaiting() {
	size := EmptyBatch
	for i := range q.waiting {
		if size += q.waiting[i].size; size > q.limit {
			return
		}
	}
	if len(q.waiting) > 0 {
		q.after = time.Now().Add(gathering)
	}
}

// take returns the first records, as if none of the others had been sent.
func (q *queue) take(n int) []pending {
	all := q.batch
	if len(q.waiting) > 0 {
		all = slices.Concat(q.batch, q.waiting)
	}
	q.drop()
	n = min(n, len(all))
	q.batch, q.waiting = nil, all[n:]
	return all[:n:n]
}

// noteLeader notes the leader of the partition, or the error of brokers that do not know it. It
// returns the records that are lost.
func (q *queue) noteLeader(broker int32, found bool, err error) []pending {
	switch {
	case found:
		q.leader, q.missing = broker, 0
		return nil
	case err != nil && isTransient(err) && !errors.Is(err, kafka.UnknownTopicOrPartition):
		return nil
	}
	if q.missing++; q.missing <= missingOften || q.busy {
		return nil
	}
	q.restart()
	return q.take(math.MaxInt)
}

// restart changes the producer: brokers would mistake a record under a used number for the earlier
// one.
func (q *queue) restart() {
	q.by, q.sequence, q.own, q.doubt = NoProducer, 0, true, 0
}

// noteDelivered notes that brokers have the batch, and returns its records.
func (q *queue) noteDelivered() []pending {
	n := len(q.batch)
	records := q.batch
	q.drop()
	q.batch = nil
	q.sequence = int32((uint32(q.sequence) + uint32(n)) & math.MaxInt32)
	q.doubt = max(0, q.doubt-n)
	q.broken = 0
	q.mergeWaiting()
	return records
}

// giveUp gives up the batch, and further records that may have been taken.
func (q *queue) giveUp() []pending {
	n := max(len(q.batch), q.doubt)
	q.restart()
	return q.take(n)
}

// noteRetry notes that the batch is to be sent again. Brokers may have taken it, or not.
func (q *queue) noteRetry(taken bool) {
	if taken {
		q.doubt = max(q.doubt, len(q.batch))
	}
	q.after = time.Now().Add(again)
}

// unsent notes that the batch could not be sent.
func (q *queue) unsent(err error) ([]pending, error) {
	if errors.As(err, new(kafka.Error)) && !isTransient(err) && !errors.Is(err, kafka.BrokerNotAvailable) {
		return q.giveUp(), err
	}
	q.noteRetry(false)
	return nil, err
}

// noteSilence notes that the leader has not answered.
func (q *queue) noteSilence(err error) ([]pending, error) {
	if errors.As(err, new(*ConnectError)) || errors.Is(err, kafka.BrokerNotAvailable) {
		return q.unsent(err)
	}
	q.kept = true
	q.noteRetry(true)
	return nil, err
}

// noteAnswer notes the leader's answer to the batch, and returns the records with a known fate.
func (q *queue) noteAnswer(err error) ([]pending, error) {
	switch {
	case err == nil, errors.Is(err, kafka.DuplicateSequenceNumber):
		return q.noteDelivered(), nil
	case tooLarge(err) && len(q.batch) > 1:
		q.limit = q.size() / 2
		q.waiting, q.batch = q.take(math.MaxInt), nil
		return nil, nil
	case isUnknownProducer(err) && q.doubt == 0 && q.broken < brokenOften:
		if q.broken++; q.broken > 1 {
			q.noteRetry(false)
		}
		q.restart()
		return nil, nil
	case isTransient(err):
		q.noteRetry(!errors.Is(err, kafka.NotEnoughReplicas))
		return nil, err
	}
	return q.giveUp(), err
}

// tooLarge reports whether an error is that a batch is larger than the topic allows
// (max.message.bytes), or than a segment of its log (segment.bytes).
func tooLarge(err error) bool {
	return HasCode(err, kafka.MessageSizeTooLarge, kafka.RecordListTooLarge)
}

// isUnknownProducer reports whether an error is that brokers do not know a producer, or its present
// state. They have not taken the batch.
func isUnknownProducer(err error) bool {
	return HasCode(err, kafka.OutOfOrderSequenceNumber, kafka.UnknownProducerId, kafka.InvalidProducerEpoch,
		kafka.InvalidProducerIDMapping, kafka.ProducerFenced)
}
