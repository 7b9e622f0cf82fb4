//go:build unix

package versions

import (
	"slices"
	"strings"
)

// versionsIn reads the releases in the head of a table.
func versionsIn(table string) []Version {
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| "+headCell+" |") {
			continue
		}
		var versions []Version
		for cell := range strings.SplitSeq(line, "|") {
			if v, ok := parseVersion(strings.TrimSpace(cell)); ok {
				versions = append(versions, v)
			}
		}
		return versions
	}
	return nil
}

// newerThan lists the releases that are missing in a table: the newest one of each minor version in
// it, if that is newer than those in the table, and of each later minor version. It is nil if the
// table has no releases.
func newerThan(table, all []Version) []Version {
	if len(table) == 0 {
		return nil
	}
	last := slices.MaxFunc(table, compareVersions)
	var newer []Version
	for i, v := range all {
		if i+1 < len(all) && all[i+1].Minor == v.Minor {
			continue // not the newest
		}
		in, ok := newest(table, v.Minor)
		if ok && compareVersions(v, in) > 0 || v.Minor > last.Minor {
			newer = append(newer, v)
		}
	}
	return newer
}
