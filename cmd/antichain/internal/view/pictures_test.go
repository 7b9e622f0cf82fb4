package view

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPictures makes the pictures of the documentation, and measures the page of a large run: see
// .ci/long.d/view. That has made the pages.
func TestPictures(t *testing.T) {
	pages, pictures := os.Getenv("ANTICHAIN_PAGES"), os.Getenv("ANTICHAIN_PICTURES")
	if pages == "" {
		t.Skip("it is for .ci/long view")
	}
	picture := func(p *tab, name string) {
		p.still()
		b, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
		if err == nil {
			err = os.WriteFile(filepath.Join(pictures, name+".png"), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	page := func(name string) *tab { return open(t, "file://"+filepath.Join(pages, name, "page.html"), 1240, 720) }
	for _, name := range []string{"bank", "ringbuffer"} {
		picture(page(name), name)
	}
	checkout := page("checkout")
	checkout.press(kb.End)
	picture(checkout, "checkout")
	workers := page("workers")
	workers.press("m", "r")
	picture(workers, "workers")
	suite := &Document{Title: "go test ./...", Notes: []string{"Not looked at: copy, race."}}
	for name, test := range map[string]string{"bank": "TestTransfer", "ringbuffer": "TestAppend",
		"workers": "TestShutdown"} {
		for _, f := range example(t, name, builtin.Deadlock).Findings {
			if f.Group = "example.org/shop." + test; f.Property != "none_after" {
				suite.Findings = append(suite.Findings, f)
			}
		}
	}
	slices.SortFunc(suite.Findings, func(a, b *Finding) int { return len(a.Group) - len(b.Group) })
	picture(open(t, writePage(t, suite), 1240, 720), "suite")
	picture(measure(t, filepath.Join(pages, "million", "page.html")), "million")
}

// measure says what the page of a large run costs, and leaves it zoomed in a little.
func measure(t *testing.T, path string) *tab {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, "file://"+path, 1240, 720)
	t.Logf("%d events: %d bytes", eval[int](p, "antichain.stage.model.events"), info.Size())
	t.Logf("shown after %.0f ms", eval[float64](p, "performance.getEntriesByName('shown')[0].startTime"))
	for _, zoom := range []struct {
		name  string
		scale string // pixels of a row
	}{{"a tenth of the run", "d.bodyHeight / d.layout.length * 10"}, {"half a pixel an event", "0.5"},
		{"4 pixels an event", "4"}, {"texts", "26"}} {
		times, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]float64](`(async () => {
			const d = antichain.stage.diagram;
			d.zoom((`+zoom.scale+`) / d.scale);
			const frame = () => new Promise((f) => requestAnimationFrame(f));
			for (let i = 0; i < 3; i++) await frame();
			const gaps = [];
			d.frames.length = 0;
			for (let i = 0; i < 60; i++) {
				const start = performance.now();
				d.pan(0, 41);
				await frame();
				await new Promise((f) => setTimeout(f, 0));
				gaps.push(performance.now() - start);
			}
			const median = (l) => l.sort((a, b) => a - b)[l.length >> 1];
			return [median(d.frames), Math.max(...d.frames), median(gaps), Math.max(...gaps)];
		})()`, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("panning, %s: drawing takes %.1f ms (at most %.1f), a frame %.1f ms (at most %.1f)", zoom.name, times[0],
			times[1], times[2], times[3])
	}
	t.Logf("searching takes %.0f ms", eval[float64](p,
		`(() => { const start = performance.now(); antichain.stage.find("deliver"); return performance.now() - start; })()`))
	t.Logf("stepping takes %.0f ms", eval[float64](p, `(() => { const start = performance.now(); antichain.stage.goTo(900000); return performance.now() - start; })()`))
	p.run(chromedp.Evaluate[chromedp.Void](`antichain.stage.find("= 15"), antichain.stage.diagram.fit()`))
	return p
}

// still waits until the page has finished drawing.
func (p *tab) still() {
	p.t.Helper()
	if _, err := chromedp.Run(p.ctx, chromedp.Evaluate[chromedp.Void]("new Promise((f) => requestAnimationFrame(() => requestAnimationFrame(f)))", chromedp.EvalAwaitPromise)); err != nil {
		p.t.Fatal(err)
	}
}
