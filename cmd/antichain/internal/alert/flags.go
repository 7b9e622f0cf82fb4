package alert

import (
	"fmt"
	"io"
	"net/url"

	"github.com/spf13/pflag"
)

// Flags say where violations are passed on to.
type Flags struct{ command, url string }

// Register adds the flags.
func (f *Flags) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.command, "on-violation", "",
		"run this shell `COMMAND` for each violation, which it reads as a line of JSON")
	flags.StringVar(&f.url, "webhook", "", "send each violation as JSON to this `URL`")
}

// Validate returns an error if a URL is no address of HTTP.
func (f *Flags) Validate() error {
	if f.url == "" {
		return nil
	}
	if u, err := url.Parse(f.url); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("--webhook %s: must be an address such as https://example.org/violations", f.url)
	}
	return nil
}

// Start starts to pass violations on; it returns nil if the flags ask for none. Failures are
// printed to errs.
func (f *Flags) Start(errs io.Writer) *Alerts {
	if f.command == "" && f.url == "" {
		return nil
	}
	return start(f.command, f.url, errs)
}
