package config

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/pflag"
)

// InForce is a setting and its origin.
type InForce struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
	From   string   `json:"from"` // "default", or the file with the line
}

// List returns the values in force for all keys: those of the file, else the defaults of the flags.
// The file may be nil.
func (f *File) List(flags *pflag.FlagSet) []InForce {
	var all []InForce
	for _, key := range Keys() {
		flag := flags.Lookup(key)
		s := InForce{Key: key, Values: []string{}, From: "default"}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			s.Values = append(s.Values, list.GetSlice()...)
		} else if text := flag.Value.String(); text != "" {
			s.Values = append(s.Values, text)
		}
		if f != nil {
			if i := slices.IndexFunc(f.Settings, func(s Setting) bool { return s.Key == key }); i >= 0 {
				s.Values, s.From = f.Settings[i].Values, fmt.Sprintf("%s:%d", f.shown(), f.Settings[i].Line)
			}
		}
		all = append(all, s)
	}
	return all
}

// Write prints settings as a table.
func Write(w io.Writer, all []InForce) error {
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, s := range all {
		value := event.Printable(strings.Join(s.Values, ", "))
		if value == "" {
			value = "none"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", s.Key, value, s.From)
	}
	return table.Flush()
}

// WriteJSON prints settings as one JSON object.
func WriteJSON(w io.Writer, file *File, all []InForce) error {
	object := struct {
		File     string    `json:"file,omitempty"`
		Settings []InForce `json:"settings"`
	}{Settings: all}
	if file != nil {
		object.File = file.Path
	}
	return json.NewEncoder(w).Encode(object)
}
