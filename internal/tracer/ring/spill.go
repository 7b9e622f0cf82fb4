package ring

import "fmt"

// spill is a file of chunks, made for the first one. It has no name, and so disappears with the
// process, however that ends. Places in it are reused: it is never longer than the chunks that once
// waited in it at the same time.
type spill struct {
	open func() (spillFile, error)
	most int64 // bytes

	file   spillFile
	failed bool        // there is no file and will be none
	size   int64       // of the file
	chunks fifo[place] // in the file, oldest first
	free   fifo[int64] // offsets not in use
}

// place is the position of a chunk.
type place struct {
	off int64
	len int
}

// spillFile is the part of a file that spill needs.
type spillFile interface {
	// grow reserves n bytes after the first size bytes, if the device has them to spare.
	grow(size, n int64) error
	WriteAt(p []byte, off int64) (int, error)
	ReadAt(p []byte, off int64) (int, error)
	Close() error
}

func (s *spill) empty() bool { return s.chunks.len() == 0 }

// put writes a chunk to the file. If it cannot, for want of room on the device or by the bound, it
// reports false and changes nothing.
func (s *spill) put(chunk []byte) bool {
	if s.free.len() == 0 && !s.grow() {
		return false
	}
	off := s.free.pop()
	if _, err := s.file.WriteAt(chunk, off); err != nil {
		s.free.push(off) // it holds nothing that is needed
		return false
	}
	s.chunks.push(place{off, len(chunk)})
	return true
}

// next reads the oldest chunk into c, an empty one.
func (s *spill) next(c []byte) ([]byte, error) {
	p := s.chunks.pop()
	c = c[:p.len]
	if _, err := s.file.ReadAt(c, p.off); err != nil {
		return nil, fmt.Errorf("records that waited on the disk: %w", err)
	}
	s.free.push(p.off)
	return c, nil
}

// spillStep is the number of bytes by which the file grows.
const spillStep = 64 * chunkSize

// grow adds free places, and makes the file before the first ones.
func (s *spill) grow() bool {
	if s.file == nil {
		if s.failed || s.open == nil {
			return false
		}
		var err error
		if s.file, err = s.open(); err != nil {
			s.failed = true
			return false
		}
	}
	if s.size+spillStep > s.most || s.file.grow(s.size, spillStep) != nil {
		return false
	}
	for range spillStep / chunkSize {
		s.free.push(s.size)
		s.size += chunkSize
	}
	return true
}

func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
