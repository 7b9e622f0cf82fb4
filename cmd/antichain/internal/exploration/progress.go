package exploration

import (
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
)

// foundText says for a terminal what was found so far, "" for nothing.
func (x *exploration) foundText() string {
	text := ""
	if names := x.merged.violated(); len(names) > 0 {
		text = ", found: " + strings.Join(names, ", ")
	}
	if x.failures > 0 {
		text += fmt.Sprintf(", failed in %d", x.failures)
	}
	return text
}

// violated returns the names of the properties that runs so far violate, in the order in which they
// came.
func (m *merger) violated() (names []string) {
	for _, k := range m.order {
		known := m.all[k]
		if len(known.shown) == 0 || known.result.Verdict != tlcheck.Violated || !known.result.IsNews() {
			continue
		}
		if name := known.result.Name(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
