package view

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
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
