package goroot

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/internal/cachedir"
)

// Making an overlay takes a tenth of a second, in which the standard library is read token by
// token. Its inputs seldom change: the code of this program, which has an identity, and files of
// the standard library. So a note in the directory of overlays lists the inputs of one, which is
// used again as long as they are the same.

// note lists the inputs of an overlay. Only an overlay with all capabilities has a note.
type note struct {
	Hash    string // of the overlay
	Release Release
	Read    map[string]string // hashes of the files that were read, by their names below GOROOT/src
	Written map[string]string // and of their replacements
}

// notePath returns the path of an overlay's note; "" if this program has no identity.
func notePath(dir, goroot string, opt Options) string {
	id := identity()
	if id == "" {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %v", id, goroot, opt.Memory))
	return filepath.Join(dir, "note-"+hex.EncodeToString(sum[:16]))
}

// identity returns the build ID of this program, which depends on all its inputs; "" if it has
// none.
func identity() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := elf.Open(exe)
	if err != nil {
		return ""
	}
	defer f.Close()
	s := f.Section(".note.go.buildid")
	if s == nil {
		return ""
	}
	id, err := s.Data()
	if err != nil {
		return ""
	}
	return string(id)
}

// cachedOverlay returns an existing overlay with the same inputs, nil if there is none, or a file
// of it has changed.
func cachedOverlay(dir, goroot string, opt Options) *Overlay {
	path := notePath(dir, goroot, opt)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var n note
	if json.Unmarshal(text, &n) != nil || len(n.Hash) != hex.EncodedLen(sha256.Size) ||
		n.Release != ReleaseOf(goroot) || len(opt.Without) > 0 {
		return nil
	}
	src := filepath.Join(goroot, "src")
	for name, sum := range n.Read {
		if content, err := os.ReadFile(filepath.Join(src, filepath.FromSlash(name))); err != nil ||
			hashOf(content) != sum {
			return nil
		}
	}
	own := filepath.Join(dir, n.Hash[:32])
	cachedir.Use(path, own) // before another process removes it
	o := &Overlay{Release: n.Release, Hash: n.Hash, Replace: make(map[string]string, len(n.Written)),
		contents: make(map[string]string)}
	for name, sum := range n.Written {
		file := fileFor(own, name)
		content, err := os.ReadFile(file)
		if err != nil || hashOf(content) != sum {
			return nil
		}
		o.contents[file] = string(content)
		o.Replace[filepath.Join(src, filepath.FromSlash(name))] = file
	}
	o.leaveOutDetector(goroot)
	return o
}

// fileFor returns the path of a file's replacement in the directory of an overlay.
func fileFor(own, name string) string { return filepath.Join(own, strings.ReplaceAll(name, "/", "__")) }

func hashOf[T string | []byte](content T) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// noteDown writes the note of an overlay. Errors are ignored: without a note the overlay is made
// again the next time.
func (g *generator) noteDown(o *Overlay, dir, goroot string, opt Options) {
	path := notePath(dir, goroot, opt)
	if path == "" || len(o.Lacks) > 0 || len(opt.Without) > 0 || g.searched {
		return
	}
	n := note{Hash: o.Hash, Release: o.Release, Read: make(map[string]string), Written: make(map[string]string)}
	for name, content := range g.read {
		n.Read[name] = hashOf(content)
	}
	for name, content := range g.files {
		n.Written[name] = hashOf(content)
	}
	if text, err := json.Marshal(n); err == nil {
		_ = cachedir.WriteFile(path, text)
	}
}
