package kafkaservice

import (
	"strconv"

	"github.com/antichain-go/antichain/tracer/ingest/kafka"
	"github.com/antichain-go/antichain/tracer/ingest/record"
)

// What is put into a topic fits into a record of a MiB with all that belongs to it: brokers accept that without being told
// otherwise, and a monitor that cannot say something can never go on.
const (
	maxLetter  = 512 << 10 // value of a dead letter
	maxWord    = 4 << 10   // header, or key, of one; text in a verdict that is too long
	maxForeign = 64 << 10  // headers of one that others have given it
	maxVerdict = 768 << 10 // verdict
	maxMessage = 768 << 10 // message of spans
)

// sendDeadLetter sends a record with its headers, why it is a dead letter, and where it was. It has the beginnings of long
// texts, and of a long value also how long that was.
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

// letterHeaders returns the headers of a dead letter. Those of others that have no room are left out, and those of a letter that was
// sent again.
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
	headers = append(headers, record.Header{Key: reasonHeader, Value: []byte(err.Error())}, record.Header{Key: atHeader, Value: []byte(rec.At)})
	for i := range headers {
		headers[i].Value = headers[i].Value[:min(len(headers[i].Value), maxWord)]
	}
	return headers
}
