package view

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/antichain-go/antichain/cmd/antichain/internal/atomicfile"
	"github.com/antichain-go/antichain/tracer/event"
)

// Parts of every page: see web/README.md.
var (
	//go:embed web/dist/page.js
	program string
	//go:embed web/page.css
	style string
)

// pageStart is the beginning of every page.
const pageStart = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" content=\"antichain\">\n"

// Write writes the page for a document: one file of HTML that makes no request. Its content
// security policy allows only the one program in it.
func Write(w io.Writer, d *Document) error {
	b := bufio.NewWriter(w)
	title := d.Title
	if title == "" {
		title = "antichain"
	}
	policy := "default-src 'none'; script-src '" + digest(program) + "'; style-src '" + digest(style) +
		"'; img-src data:; base-uri 'none'; form-action 'none'"
	for _, s := range []string{
		pageStart,
		"<meta http-equiv=\"Content-Security-Policy\" content=\"", policy, "\">\n",
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n",
		"<meta name=\"referrer\" content=\"no-referrer\">\n",
		"<title>", html.EscapeString(text(title)), "</title>\n<style>", style, "</style>\n</head>\n<body>\n",
		"<noscript><p>This page draws with a program of its own: allow it to run JavaScript.</p></noscript>\n",
		"<div id=\"page\"></div>\n<script type=\"application/json\" id=\"document\">",
	} {
		if _, err := b.WriteString(s); err != nil {
			return err
		}
	}
	// which has no < of its own: JSON escapes it as "\u003c"
	if err := json.NewEncoder(b).Encode(d); err != nil {
		return err
	}
	if _, err := b.WriteString("</script>\n<script>" + program + "</script>\n</body>\n</html>\n"); err != nil {
		return err
	}
	return b.Flush()
}

// digest returns the hash of a script or style sheet for a content security policy.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

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
