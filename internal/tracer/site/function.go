package site

import (
	"slices"
	"strconv"
	"strings"
)

// PlainFunction returns the name of a function without the parts that vary between spellings: the
// parentheses and star of a receiver, type arguments, the mark of a method value, and the
// compiler's escapes for some characters of import paths.
func PlainFunction(name string) string {
	var b strings.Builder
	depth := 0
	for _, r := range strings.TrimSuffix(UnescapePath(name), "-fm") {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth > 0 || strings.ContainsRune("()* ", r):
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// NameMeans reports whether a name that a user has written means a function. Both are plain. The
// name may lack the package or its path, or the type of a method. If the function lacks its path,
// that of the name is ignored.
func NameMeans(name, function string) bool {
	if i := strings.LastIndexByte(name, '/'); !strings.Contains(function, "/") {
		name = name[i+1:]
	}
	rest, ok := strings.CutSuffix(function, name)
	return ok && name != "" && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/"))
}

// NamesMean reports whether one of the names that a user has written means a function. They need
// not be plain.
func NamesMean(names []string, function string) bool {
	function = PlainFunction(function)
	return slices.ContainsFunc(names, func(name string) bool { return NameMeans(PlainFunction(name), function) })
}

// UnescapePath replaces the escapes in the import path of a symbol by what people write:
// gopkg.in/yaml.v3 for gopkg.in/yaml%2ev3. The compiler writes a percent sign and two hexadecimal
// digits.
func UnescapePath(name string) string {
	before, rest, found := strings.Cut(name, "%")
	if !found {
		return name
	}
	var b strings.Builder
	for b.WriteString(before); found; b.WriteString(before) {
		var code uint64
		err := strconv.ErrSyntax
		if len(rest) >= 2 {
			code, err = strconv.ParseUint(rest[:2], 16, 8)
		}
		if err == nil {
			b.WriteByte(byte(code))
			rest = rest[2:]
		} else {
			b.WriteByte('%')
		}
		before, rest, found = strings.Cut(rest, "%")
	}
	return b.String()
}
