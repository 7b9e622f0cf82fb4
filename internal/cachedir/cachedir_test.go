package cachedir

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Files unused for long are removed; a used one counts as new.
func TestRemoveOld(t *testing.T) {
	dir := t.TempDir()
	long := time.Now().Add(-oldAge - time.Hour)
	for _, name := range []string{"old", "used"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "build-now"), 0o700); err != nil {
		t.Fatal(err)
	}
	Use(filepath.Join(dir, "used"))
	RemoveOld(dir)
	var left []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if d := cmp.Diff([]string{"build-now", "used"}, left); d != "" {
		t.Error(d)
	}
}

// A reader sees complete content while several processes write the file. The file does not change
// if it has the content.
func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "below", "file")
	content := []byte(strings.Repeat("content ", 10_000))
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			if err := WriteFile(path, content); err != nil {
				t.Error(err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != string(content) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
	writers.Wait()
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(path, long, long); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, content); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(long) {
		t.Errorf("written again: %v, %v", info.ModTime(), err)
	}
	if err := WriteFile(path, []byte("other")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "other" {
		t.Errorf("%.20q, %v", got, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// A directory is refused if other users can write to it.
func TestPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := Private(dir); err != nil {
		t.Error(err)
	}
	file := filepath.Join(dir, "file")
	if err := WriteFile(file, nil); err != nil {
		t.Fatal(err)
	}
	if err := Private(file); err == nil {
		t.Error("a file is taken for a directory")
	}
	if runtime.GOOS == "windows" {
		return // owners are not looked at
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Private(dir); err == nil ||
		!strings.Contains(err.Error(), dir+" is not a directory that only you can write to: remove it") {
		t.Error(err)
	}
}

// The newest files stay, as far as there is room, and one in any case.
func TestKeepNewest(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for i, name := range []string{"new", "old", "newest", "older"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, 10), 0o600); err != nil {
			t.Fatal(err)
		}
		at := now.Add(time.Duration([]int{-2, -3, -1, -4}[i]) * time.Minute)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "directory"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		size int64
		want []string
	}{
		{40, []string{"directory", "new", "newest", "old", "older"}},
		{39, []string{"directory", "new", "newest", "old"}},
		{20, []string{"directory", "new", "newest"}},
		{9, []string{"directory", "newest"}},
	} {
		KeepNewest(dir, tt.size)
		var left []string
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			left = append(left, e.Name())
		}
		if d := cmp.Diff(tt.want, left); d != "" {
			t.Errorf("%d bytes: %s", tt.size, d)
		}
	}
}
