package event

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/cespare/xxhash/v2"
)

// From version 2 on a trace has checksums (XXH64), so a damaged one yields no wrong verdict. In the
// text form a line like
//
//	{"sum":"8f3c2a1b5d6e7f90"}
//
// has the checksum of all lines since the previous one, including their ends. Nothing follows the
// last sum of a trace. In the binary form each block ends with a checksum.

const (
	sumPrefix = `{"sum":"`
	sumSuffix = `"}`
	sumSize   = 8 // of a block, in bytes

	// sumLines and sumBytes bound the lines and bytes between sums of the text form; one line may
	// exceed them.
	sumLines = 1 << 12
	sumBytes = 1 << 18
)

const (
	remedySum  = "the trace was changed or damaged after it was written: record the run again"
	remedyHand = `for a trace that is edited by hand, remove "sums" from its header, and all sums`
)

type lineSum struct {
	digest *xxhash.Digest
	lines  int
	bytes  int
}

func (s *lineSum) add(line []byte) {
	if s.digest == nil {
		s.digest = xxhash.New()
	}
	s.digest.Write(line)
	s.digest.Write(newline)
	s.lines++
	s.bytes += len(line) + 1
}

var newline = []byte{'\n'}

func (s *lineSum) full() bool { return s.lines >= sumLines || s.bytes >= sumBytes }

// finishLine returns the line with the sum, and starts the next one.
func (s *lineSum) finishLine() []byte {
	line := appendSum(nil, s.digest.Sum64())
	s.reset()
	return line
}

func (s *lineSum) reset() {
	s.digest.Reset()
	s.lines, s.bytes = 0, 0
}

func appendSum(dst []byte, sum uint64) []byte {
	dst = append(dst, sumPrefix...)
	const digits = 16
	hex := strconv.AppendUint(nil, sum, 16)
	for range digits - len(hex) {
		dst = append(dst, '0')
	}
	return append(append(dst, hex...), sumSuffix...)
}

// isSum reports whether a line has a sum.
func isSum(line []byte) bool { return bytes.HasPrefix(line, []byte(sumPrefix)) }

// check compares a line with a sum to the computed one, and starts the next one.
func (s *lineSum) check(line []byte) error {
	if s.lines == 0 || !bytes.Equal(line, appendSum(nil, s.digest.Sum64())) {
		return &lineError{reason: "damaged: the checksum of the lines before is another one",
			remedy: remedySum + "; " + remedyHand}
	}
	s.reset()
	return nil
}

func appendBlockSum(block []byte) []byte {
	return binary.LittleEndian.AppendUint64(block, xxhash.Sum64(block))
}

// cutBlockSum checks and removes the sum at the end of a block.
func cutBlockSum(block []byte) ([]byte, error) {
	n := len(block) - sumSize
	if n < 0 || binary.LittleEndian.Uint64(block[n:]) != xxhash.Sum64(block[:n]) {
		return nil, errBlockSum
	}
	return block[:n], nil
}

var errBlockSum = &lineError{reason: "damaged: the checksum of a block is another one", remedy: remedySum}

// endsInSum reports whether the last line of a part has a sum.
func endsInSum(part []byte) bool {
	part = bytes.TrimRight(part, "\r\n\t ")
	return isSum(part[bytes.LastIndexByte(part, '\n')+1:])
}

// checkPart checks the sums of the lines of a part.
func checkPart(part []byte) error {
	var sum lineSum
	for len(part) > 0 {
		var line []byte
		line, part, _ = bytes.Cut(part, newline)
		if !isSum(line) {
			sum.add(line)
		} else if err := sum.check(line); err != nil {
			return err
		}
	}
	return nil
}
