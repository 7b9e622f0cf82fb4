//go:build antichain_traced

package agent

// message is a message under construction. Its length stands in the first four bytes.
type message struct{ Rec }

func (m *message) begin(kind uint8) { m.buf = append(m.buf[:0], 0, 0, 0, 0, kind) }

func (m *message) fail(text string) {
	m.begin(ringAnswerError)
	m.text(text)
}

// name adds a text; of a long one the end, its most informative part.
func (m *message) name(s string) {
	if len(s) > maxName {
		s = "…" + s[len(s)-maxName+len("…"):]
	}
	m.text(s)
}

// finish fills in the length.
func (m *message) finish() []byte {
	n := len(m.buf) - 4
	m.buf[0], m.buf[1], m.buf[2], m.buf[3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
	return m.buf
}

// reader parses a message. Missing values read as zero.
type reader struct {
	b   []byte
	bad bool
}

// done reports whether the message made sense and is read to its end.
func (r *reader) done() bool { return !r.bad && len(r.b) == 0 }

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	b := r.b[0]
	r.b = r.b[1:]
	return b
}

func (r *reader) uvarint() uint64 {
	var u uint64
	for shift := uint(0); ; shift += 7 {
		b := r.byte()
		if shift == 63 && b > 1 {
			r.bad = true
		}
		if r.bad {
			return 0
		}
		u |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return u
		}
	}
}

func (r *reader) text() string {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.bad = true
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) fixed64() uint64 {
	var u uint64
	for i := range 8 {
		u |= uint64(r.byte()) << (8 * i)
	}
	return u
}
