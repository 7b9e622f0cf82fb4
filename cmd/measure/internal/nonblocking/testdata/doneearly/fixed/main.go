// Command doneearly fetches the parts of a page at the same time.
package main

import (
	"fmt"
	"strings"
	"sync"
)

// A part of a page.
type part struct {
	url  string
	text string
}

// Page is fetched in parts.
type Page struct {
	parts   []*part
	pending sync.WaitGroup
}

// fetch returns what is at an address.
func fetch(url string) string { return strings.ToUpper(url) }

// load fetches one part.
func (g *Page) load(p *part) {
	text := fetch(p.url)
	p.text = text
	g.pending.Done()
}

// Load fetches all parts.
func (g *Page) Load() {
	for _, p := range g.parts {
		g.pending.Add(1)
		go g.load(p)
	}
	g.pending.Wait()
}

// Text puts the page together.
func (g *Page) Text() string {
	var b strings.Builder
	for _, p := range g.parts {
		b.WriteString(p.text)
	}
	return b.String()
}

func main() {
	page := &Page{parts: []*part{{url: "head"}, {url: "body"}, {url: "foot"}}}
	page.Load()
	fmt.Println("length at most:", max(12, len(page.Text())))
}
