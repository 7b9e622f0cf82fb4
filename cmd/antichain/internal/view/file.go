package view

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/tracer/event"
)

// WriteFile writes the page for a document to a file. The page has values of a program and lines of
// its source, so only the user can read it (mode 0600). It is written atomically. WriteFile only
// overwrites another page, and a symbolic link stays one.
func WriteFile(path string, d *Document) error {
	if err := CheckOverwritable(path); err != nil {
		return err
	}
	path = atomicfile.Target(path)
	f, err := os.CreateTemp(filepath.Dir(path), ".antichain-*") // mode 0600
	if err != nil {
		return err
	}
	err = errors.Join(Write(f, d), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// CheckOverwritable returns an error if no page can be written to a path: the directory does not
// allow it, or the file there is not a page.
func CheckOverwritable(path string) error {
	if err := atomicfile.Writable(path); err != nil {
		return err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() == 0 {
		return err
	}
	start := make([]byte, len(pageStart))
	if _, err := io.ReadFull(f, start); err != nil || !bytes.Equal(start, []byte(pageStart)) {
		return fmt.Errorf("%s: this file is no page of antichain, and stays as it is: choose another name",
			event.Printable(path))
	}
	return nil
}

// Open shows a page in the user's browser.
func Open(path string) error {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", path)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", path)
	default:
		cmd = exec.Command("xdg-open", path)
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("cannot open a browser: %w; open %s in one", err, event.Printable(path))
	}
	return nil
}
