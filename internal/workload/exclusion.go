package workload

import (
	"fmt"
	"strings"
)

// MutualExclusion returns the specification of Clarke and Emerson, "Design and Synthesis of
// Synchronization Skeletons Using Branching Time Temporal Logic", 1981, §6, for n processes:
// each is in its noncritical section, tries to enter, or is in its critical section.
func MutualExclusion(n int) string {
	var fs []string
	add := func(format string, args ...any) { fs = append(fs, fmt.Sprintf(format, args...)) }
	for i := 1; i <= n; i++ {
		add("NCS%d", i)
		add("AG (TRY%d -> AF CS%[1]d)", i)
		add("AG (NCS%d | TRY%[1]d | CS%[1]d)", i)
		add("AG (NCS%d -> !(TRY%[1]d | CS%[1]d))", i)
		add("AG (TRY%d -> !(NCS%[1]d | CS%[1]d))", i)
		add("AG (CS%d -> !(NCS%[1]d | TRY%[1]d))", i)
		add("AG (NCS%d -> EX_%[1]d TRY%[1]d)", i)
		add("AG (TRY%d & EX_%[1]d true -> AX_%[1]d CS%[1]d)", i)
		add("AG (CS%d -> EX_%[1]d NCS%[1]d)", i)
		for j := 1; j <= n; j++ {
			if i == j {
				continue
			}
			add("AG (NCS%d -> AX_%d NCS%[1]d)", i, j)
			add("AG (TRY%d -> AX_%d TRY%[1]d)", i, j)
			add("AG (CS%d -> AX_%d CS%[1]d)", i, j)
			if i < j {
				add("AG !(CS%d & CS%d)", i, j)
			}
		}
	}
	add("AG EX true")
	return strings.Join(fs, " & ")
}
