// Package event defines the trace: its header, its events, and the values they carry, with a text
// form (JSON lines) and a binary form of equal content. [Open] reads both.
//
//	r, err := event.Open(file, "run.jsonl")
//	header, err := r.Header()
//	err = r.Next(&e) // until io.EOF
//	fmt.Println(r.Pos(), e.Task, e.Enter)
//
// All input is untrusted. Readers bound the length of lines and events, the nesting and number of
// values, the sizes of tables and the size of decompressed data ([Limits]). They report a certain
// fault of an event as soon as they read it, as an [*Error] with position, reason and remedy. The
// builder of the net finds faults that only the whole trace shows: a dangling reference, a cycle
// over several tasks, an exit that does not match. Strings of a trace pass through [Printable]
// before they reach a terminal.
//
// # Text
//
// One JSON object a line, the header first. Beyond plain JSON:
//
//   - An integer that fits into 64 bits, signed or unsigned, is exact. A number with a
//     fraction or an exponent is a float and stays one: 1.0 is written as 1.0. A number
//     beyond either range is an error; under a key that is only kept it becomes the
//     string of its digits.
//   - JSON has no number for some floats. These are objects with the one field "$float":
//     {"$float":"NaN"}, {"$float":"+Inf"}, {"$float":"-Inf"}, and {"$float":"NaN:" and
//     16 hexadecimal digits} for a NaN with other bits than Go's. An object of a traced
//     program that looks like this, that is, whose only field is "$float" with any number
//     of further dollar signs before it, is written with one dollar sign more. "$float"
//     with any other value is an object as usual.
//   - Strings are bytes. A byte that is not part of UTF-8 is written as the escape of a
//     lone low surrogate, \udc80 for 0x80 to \udcff for 0xff (as Python's surrogateescape
//     does). Other lone surrogates are read as the three bytes that UTF-8's scheme gives.
//     A raw byte that is not UTF-8 is an error.
//   - A key that stands twice in an object is an error; keys keep their order.
//   - Characters that do not print are written as escapes, so a trace can be looked at in
//     a terminal.
//
// # Values as bytes
//
// [AppendValue] and [DecodeValue] use this coding, in which a traced program also sends the values
// of its variables. A uvarint is a number in groups of 7 bits, lowest first, with the high bit set
// in every byte but the last (encoding/binary's Uvarint); a varint is the uvarint of (i<<1) ^
// (i>>63).
//
//	00                 null
//	01                 false
//	02                 true
//	03 varint          signed integer
//	04 uvarint         unsigned integer; one that fits into int64 may stand here and is
//	                   read as a signed one
//	05 8 bytes         the IEEE 754 bits of a float64, lowest byte first; any NaN is kept
//	06 string          a uvarint n and n bytes, which need not be UTF-8
//	07 list            a uvarint n and n values
//	08 object          a uvarint n and n fields, each a name (string, as above without
//	                   the 06) and a value; no two names are alike
//
// # Binary
//
// A binary trace is
//
//	89 41 43 54 0d 0a 1a 0a, version 01
//	string: the header as a line of the text form
//	blocks, each named by its first byte:
//	  'B' uvarint number of events, uvarint size, uvarint compressed size, one zstd frame
//	  'R' the tables below are emptied
//	  'E' uvarint number of events in the trace; nothing follows
//
// A trace without the last block was cut off; all blocks before the cut can be read. The events in
// a block refer to three tables, which are empty at first, grow as the events are read, and live on
// over the blocks:
//
//	name    uvarint: 0 is the empty string; 1 a new one, which follows as a string;
//	        i+2 the i-th in the table of strings
//	task    varint: distance from the table index of the task in hand. The index just
//	        after the table is a new task: its name as a string and, as a uvarint, how
//	        many events it has had, or 0 if it has ended before 'R'. A wrong number is an error,
//	        and so is a task that is new twice without 'R'
//	shape   uvarint: i+1 is the i-th in the table of shapes, 0 a new one, which follows:
//	        uvarint flags (1 spawn, 2 obj, 4 ts), the names enter, exit, op and at,
//	        uvarint number of after, uvarint number of with, and for each of set, global,
//	        write and the unknown keys a uvarint n and n names
//
// An event is its shape; its task, as distance from the last event's (0 at first and after 'R');
// then, as the shape has them: the task it spawns, obj as a name, ts as a varint distance from the
// ts before; the references of after and with, each a task (these distances are from the event's
// own) and, as a varint, by how much the number of events that task has had so far exceeds k; and
// the values.
package event
