package kafkaservice

import (
	"strconv"

	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// The limits keep every record of a topic below a MiB with its headers, which brokers accept by
// default. A monitor that cannot write a record could never continue.
const (
	maxLetter = 512 << 10 // for the value of a dead letter
	// for a header or the key of a dead letter, and for a text in a verdict that is too long
	maxWord    = 4 << 10
	maxForeign = 64 << 10  // for the original headers of a dead letter
	maxVerdict = 768 << 10 // for a verdict
	maxMessage = 768 << 10 // for a message of spans
)

// sendDeadLetter sends a record with its headers, the error and its original position. It truncates
// long texts. Of a long value it also sends the length.
func sendDeadLetter(to *kafka.Outbox, topic string, rec *record.Record, err error) {
	headers, value := letterHeaders(rec, err), rec.Value
	if len(value) > maxLetter {
		headers = append(headers, record.Header{Key: sizeHeader, Value: strconv.AppendInt(nil, int64(len(value)), 10)})
		value = value[:maxLetter]
	}
	to.Put(topic, rec.Run[:min(len(rec.Run), maxWord)], value, headers)
}

// Names of headers of dead letters.
const (
	reasonHeader = "antichain-reason"
	atHeader     = "antichain-at"
	sizeHeader   = "antichain-size"
)

// letterHeaders returns the headers of a dead letter. It omits original headers without room, and
// those of an earlier dead letter.
func letterHeaders(rec *record.Record, err error) []record.Header {
	headers, room := rec.Headers(), maxForeign
	for _, h := range rec.Other {
		if room -= len(h.Key) + min(len(h.Value), maxWord); room < 0 {
			break
		}
		if h.Key != reasonHeader && h.Key != atHeader && h.Key != sizeHeader {
			headers = append(headers, h)
		}
	}
	headers = append(headers, record.Header{Key: reasonHeader, Value: []byte(err.Error())},
		record.Header{Key: atHeader, Value: []byte(rec.At)})
	for i := range headers {
		headers[i].Value = headers[i].Value[:min(len(headers[i].Value), maxWord)]
	}
	return headers
}
