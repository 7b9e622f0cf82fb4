package cachedir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The flag takes precedence over the variables, and a named directory is used or refused.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	t.Setenv("TMPDIR", dir)
	temporary := filepath.Join(dir, fmt.Sprintf("antichain.cache-%d", os.Getuid()))
	below := filepath.Join(file, "below")
	for _, tt := range []struct {
		flag, own, xdg, home string
		want                 string // "" for an error
		warns                string
	}{
		{in("flag"), in("own"), in("xdg"), in("home"), in("flag"), ""},
		{"", in("own"), in("xdg"), in("home"), in("own"), ""},
		{"", "", in("xdg"), in("home"), in("xdg/antichain"), ""},
		{"", "", "", in("home"), in("home/.cache/antichain"), ""},
		{"", "", "", "", temporary, "HOME"},
		{"", "", below, in("home"), temporary, "not a directory"},
		{"", "", "relative", in("home"), temporary, "relative"},
		{below, in("own"), "", "", "", ""},
		{"", below, in("xdg"), in("home"), "", ""},
	} {
		for name, value := range map[string]string{Variable: tt.own, "XDG_CACHE_HOME": tt.xdg, "HOME": tt.home} {
			t.Setenv(name, value)
		}
		for range 2 { // the second time it is there
			got, warning, err := Find(tt.flag)
			if got != tt.want || (err != nil) != (tt.want == "") || (warning != "") != (tt.warns != "") ||
				!strings.Contains(warning, tt.warns) {
				t.Errorf("%+v: %q, %q, %v", tt, got, warning, err)
			}
			if warning != "" && !strings.Contains(warning, Variable) {
				t.Errorf("%q does not say what to set", warning)
			}
			var unusable *UnusableError
			if err != nil && (!errors.As(err, &unusable) || !strings.Contains(err.Error(), below) ||
				!strings.Contains(err.Error(), "--cache-dir")) {
				t.Errorf("error %v", err)
			}
			if entries, _ := os.ReadDir(got); got != "" && len(entries) > 0 {
				t.Errorf("%s holds %v", got, entries)
			}
		}
	}
}

// A directory that is not there is not made for temporary files.
func TestFindWithoutTemporary(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	for name, value := range map[string]string{Variable: "", "XDG_CACHE_HOME": "", "HOME": "", "TMPDIR": dir} {
		t.Setenv(name, value)
	}
	if _, _, err := Find(""); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("it was made")
	}
}

// Others must not be able to put a directory in the place of the cache.
func TestFindAmongOthers(t *testing.T) {
	dir := t.TempDir()
	for name, value := range map[string]string{Variable: "", "XDG_CACHE_HOME": "", "HOME": "", "TMPDIR": dir} {
		t.Setenv(name, value)
	}
	for mode, good := range map[os.FileMode]bool{0o777: false, 0o777 | os.ModeSticky: true, 0o755: true} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Find(""); (err == nil) != good {
			t.Errorf("%v: %v", mode, err)
		}
	}
}

func TestUnusableError(t *testing.T) {
	full := fmt.Errorf("writing: %w", &os.PathError{Op: "write", Path: "/cache/file", Err: syscall.ENOSPC})
	for _, tt := range []struct {
		err  error
		want string
	}{
		{full, "the cache in /cache cannot be written: writing: write /cache/file: no space left on device; make room there, or name another directory with --cache-dir or ANTICHAIN_CACHE"},
		{os.ErrPermission, "the cache in /cache cannot be written: permission denied; name another directory with --cache-dir or ANTICHAIN_CACHE"},
	} {
		if got := (&UnusableError{"/cache", tt.err}).Error(); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
