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

// linkerFlags returns additional linker flags. Only the last -ldflags of the user's own counts, so
// each of them is repeated.
func (b *Build) linkerFlags(debug bool) []string {
	ours := ""
	if b.config.Memory {
		ours = goroot.LinkMemory
	}
	users := slices.DeleteFunc(slices.Clone(b.all), func(f goFlag) bool { return f.name != "ldflags" })
	switch {
	case len(users) == 0 && !debug:
		return []string{"-ldflags=" + strings.TrimSpace("-s -w "+ours)}
	case ours == "":
		return nil
	}
	flags := []string{"-ldflags=" + ours}
	for _, f := range users {
		flags = append(flags, "-ldflags="+strings.TrimSpace(f.value+" "+ours))
	}
	return flags
}
