package instrument

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/instrument/goroot"
)

// withDetector returns the user's flags with the build tags that go build -race sets beside the
// user's own, which are the last ones named.
func (env *goEnv) withDetector(own []goFlag) ([]goFlag, error) {
	all, err := env.flags(own)
	if err != nil {
		return nil, err
	}
	tags := ""
	for _, f := range all {
		if f.name == "tags" {
			tags = f.value
		}
	}
	list := strings.Join(append(splitTags(tags), goroot.InstrumentTags), ",")
	return append(slices.Clip(own), parseGoFlags([]string{"-tags=" + list})...), nil
}

// splitTags splits a list of build tags as go does: at commas, or at white space.
func splitTags(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(", \t\n\r'\"", r) })
}

// withoutDebug are the flags for the linker with which go run and go test leave out debug
// information.
const withoutDebug = "-s -w"

// linkerFlags returns the flags for the linker in ours and the ones that the detector needs. Only
// the last -ldflags counts, so the user's flags are repeated.
func (b *Build) linkerFlags(ours string) []string {
	if b.config.Memory {
		ours = strings.TrimSpace(ours + " " + goroot.LinkMemory)
	}
	if ours == "" {
		return nil
	}
	flags := []string{"-ldflags=" + ours}
	for _, f := range b.all {
		if f.name == "ldflags" {
			flags = append(flags, "-ldflags="+strings.TrimSpace(f.value+" "+ours))
		}
	}
	return flags
}
