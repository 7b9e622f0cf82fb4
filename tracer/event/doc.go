// Package event defines the trace: its header, its events, and the values they carry,
// with a text form (JSON lines) and a binary form of equal content.
//
// # Values as bytes
//
// [AppendValue] and [DecodeValue] use this coding, in which a traced program also sends
// the values of its variables. A uvarint is a number in groups of 7 bits, lowest first,
// with the high bit set in every byte but the last (encoding/binary's Uvarint).
//
//	00                 null
//	01                 false
//	02                 true
//	03 uvarint         signed integer i as the number (i<<1) ^ (i>>63)
//	04 uvarint         unsigned integer; one that fits into int64 may stand here and is
//	                   read as a signed one
//	05 8 bytes         the IEEE 754 bits of a float64, lowest byte first; any NaN is kept
//	06 n bytes         string: a uvarint n and n bytes, which need not be UTF-8
//	07 n values        list: a uvarint n and n values
//	08 n fields        object: a uvarint n and n fields, each a name (uvarint length and
//	                   bytes) and a value; no two names are alike
package event
