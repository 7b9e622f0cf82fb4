package doctor

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/tracer/event"
)

// Write writes the examination as one page of text: the capabilities of tracing, and the obstacles.
func (e *Examination) Write(w io.Writer) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "antichain\t%s\n", e.Version)
	if e.GoErr != nil {
		fmt.Fprintf(t, "Go\tnot usable: %s\n", oneLine(e.GoErr))
	} else {
		fmt.Fprintf(t, "Go\t%s for %s/%s, GOROOT %s, command %s\n", e.Go.Release.Name, e.Go.OS, e.Go.Arch, e.Go.Root,
			e.Go.Command)
		fmt.Fprintf(t, "cgo\t%s\n", cgo(e.Go))
		fmt.Fprintf(t, "build cache\t%s\n", e.BuildCache)
	}
	fmt.Fprintf(t, "antichain's cache\t%s\n", e.Own)
	fmt.Fprintf(t, "shared memory\t%s\n", e.memory())
	for _, v := range e.Variables {
		fmt.Fprintf(t, "environment\t%s\n", event.Printable(v))
	}
	for _, tool := range e.Tools {
		fmt.Fprintf(t, "%s\t%s (optional: %s)\n", tool.Name, tool.State, tool.Use)
	}
	t.Flush()
	if e.GoErr == nil {
		if len(e.Go.Obstacles) == 0 ||
			slices.ContainsFunc(e.Go.Capabilities, func(c instrument.CapabilityState) bool { return c.Why == nil }) {
			e.capabilities(&b)
		}
		for _, text := range e.Go.Obstacles {
			fmt.Fprintf(&b, "\nin the way: %s\n", oneLine(errors.New(text)))
		}
	}
	fmt.Fprintf(&b, "\n%s\n", e.conclusion())
	_, err := io.WriteString(w, b.String())
	return err
}

// capabilities prints a line for each.
func (e *Examination) capabilities(b *strings.Builder) {
	fmt.Fprintln(b)
	t := tabwriter.NewWriter(b, 0, 8, 2, ' ', 0)
	for _, c := range e.Go.Capabilities {
		what, state := c.Gives, "yes"
		if c.Why != nil {
			state = "no"
			what += "; affects " + affectedFeatures(c)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", state, c.Name, what)
		if c.Why != nil {
			fmt.Fprintf(t, "\t\t%s\n", oneLine(c.Why))
		}
	}
	t.Flush()
}

func oneLine(err error) string {
	return event.Printable(strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' }), "; "))
}

// affectedFeatures lists the features that need a capability.
func affectedFeatures(c instrument.CapabilityState) string {
	var all []string
	if c.Order {
		all = append(all, "all verdicts on programs that use it")
	}
	if !c.Order && len(c.Properties) > 0 {
		all = append(all, "the built-in properties "+strings.Join(c.Properties, ", "))
	}
	if len(c.Verbs) > 0 {
		all = append(all, strings.Join(c.Verbs, ", "))
	}
	if len(all) == 0 {
		return "no verdict"
	}
	return strings.Join(all, "; ")
}

func (e *Examination) conclusion() string {
	switch {
	case e.Complete():
		return "Everything can be traced."
	case e.GoErr != nil:
		return "Nothing can be traced; recorded traces can be checked."
	case e.Memory.Err != nil || len(e.Go.Obstacles) > 0:
		return "Nothing can be traced as things are; recorded traces can be checked."
	default:
		return "Programs can be traced; verdicts that need what is missing are unknown."
	}
}

func cgo(in *instrument.Inspection) string {
	switch {
	case !in.Cgo:
		return "off (CGO_ENABLED=0)"
	case in.Compiler == "":
		return "on, but there is no C compiler"
	}
	return "on, with " + in.Compiler
}

// String returns a directory with its size.
func (d Directory) String() string {
	switch {
	case d.Path == "":
		return "none"
	case d.Partial:
		return fmt.Sprintf("%s, at least %s", d.Path, sizeText(d.Bytes))
	}
	return fmt.Sprintf("%s, %s", d.Path, sizeText(d.Bytes))
}

func (e *Examination) memory() string {
	m := e.Memory
	if m.Err != nil {
		return "not to be had: " + event.Printable(m.Err.Error())
	}
	text := fmt.Sprintf("%s for each program in %s (%s, %s free)",
		sizeText(m.Needed), m.Dir, m.FileSystem, sizeText(m.Free))
	if m.FileLimit < math.MaxInt64 {
		text += ", files up to " + sizeText(m.FileLimit)
	}
	if m.AddressMax < math.MaxInt64 {
		text += ", processes up to " + sizeText(m.AddressMax)
	}
	return text
}

// sizeText returns a size as text.
func sizeText(n int64) string {
	value, unit := float64(n), "B"
	for _, next := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if value < 1024 {
			break
		}
		value, unit = value/1024, next
	}
	if unit == "B" {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}
