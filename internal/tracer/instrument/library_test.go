package instrument

import (
	"testing"
	"time"
)

// TestLibraryTime: a library is announced until a build with it has ended, with the time of the
// last one. Other patches, another release and accesses to memory make another library.
func TestLibraryTime(t *testing.T) {
	c := &Config{Cache: t.TempDir()}
	patches := map[string]string{"runtime/chan.go": "a", "sync/mutex.go": "b"}
	with := func(c *Config, release string, patches map[string]string) *Build {
		return &Build{library: newLibrary(c, release, patches)}
	}
	expect := func(b *Build, wantNew bool, want time.Duration) {
		t.Helper()
		if isNew, took := b.LibraryTime(); isNew != wantNew || took != want {
			t.Errorf("new: %v, %v; want %v, %v", isNew, took, wantNew, want)
		}
	}
	first := with(c, "go1.26", patches)
	expect(first, true, 0)
	first.library.noteBuilt(85*time.Second + time.Millisecond)
	first.library.noteBuilt(time.Second)
	expect(first, false, 0)
	memory := &Config{Cache: c.Cache, Memory: true}
	for _, other := range []*Build{
		with(c, "go1.27", patches), with(memory, "go1.26", patches),
		with(c, "go1.26", map[string]string{"runtime/chan.go": "b"}),
	} {
		expect(other, true, 85*time.Second)
	}
	expect(&Build{}, false, 0) // no cache
}
