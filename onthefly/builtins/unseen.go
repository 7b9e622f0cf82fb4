package builtins

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	spelling "github.com/antichain-go/antichain/tlcheck/source"
)

// Ineffective returns warnings about names of Config that no function of the trace has. It leaves
// out those of MustFinish if none of them occurs: then the result for leak says so.
func (k *Checker) Ineffective() (texts []string) {
	judges := func(p builtin.Property) bool { return slices.Contains(k.on, p) && k.unknown[p] == "" }
	if judges(builtin.Leak) {
		if unseen := k.unseen(k.config.MustFinish); len(unseen) < len(k.config.MustFinish) {
			texts = unseen
		}
	}
	if judges(builtin.Stuck) {
		texts = append(texts, k.unseen(k.config.MayWait)...)
	}
	return texts
}

// unseen returns warnings about names of functions that the trace lacks. A trace has only functions
// that ran, so such a name need not be a mistake.
func (k *Checker) unseen(names []string) (texts []string) {
	if len(names) == 0 || k.state.operations == nil {
		return nil
	}
	functions := map[string]bool{"main.main": true}
	if !k.state.operations.Functions(func(name string) { functions[site.PlainFunction(name)] = true }) {
		return nil
	}
	seen := slices.Sorted(maps.Keys(functions))
	for _, name := range names {
		plain := site.PlainFunction(name)
		if slices.ContainsFunc(seen, func(function string) bool { return site.NameMeans(plain, function) }) {
			continue
		}
		text := fmt.Sprintf("the trace has no function %s", name)
		if near := spelling.Closest(plain, alike(plain, seen)); near != "" {
			text += fmt.Sprintf(" (did you mean %q?)", near)
		}
		texts = append(texts, text)
	}
	return texts
}

// alike returns the last parts of the functions' names, as many as the name has.
func alike(name string, functions []string) []string {
	var all []string
	parts := strings.Count(name, ".") + 1
	for _, f := range functions {
		if own := strings.Split(f, "."); len(own) >= parts {
			all = append(all, strings.Join(own[len(own)-parts:], "."))
		}
	}
	return all
}
