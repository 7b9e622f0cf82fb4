package doctor

import (
	"encoding/json"
	"io"
	"math"
)

// object is the JSON form of an Examination.
type object struct {
	Complete     bool               `json:"complete"`
	Antichain    string             `json:"antichain"`
	Go           *goObject          `json:"go"` // null without a Go
	GoError      string             `json:"go_error,omitempty"`
	Capabilities []capabilityObject `json:"capabilities"`
	Obstacles    []string           `json:"obstacles"`
	Memory       memoryObject       `json:"shared_memory"`
	BuildCache   *Directory         `json:"build_cache,omitempty"`
	Own          *Directory         `json:"antichain_cache,omitempty"`
	Environment  []string           `json:"environment"`
	Tools        []Tool             `json:"tools"`
}

type goObject struct {
	Version  string `json:"version"`
	Root     string `json:"root"`
	Command  string `json:"command"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Known    bool   `json:"known"` // a release that this antichain supports
	Cgo      bool   `json:"cgo"`
	Compiler string `json:"c_compiler,omitempty"`
}

type capabilityObject struct {
	Name       string   `json:"name"`
	Gives      string   `json:"gives"`
	OK         bool     `json:"ok"`
	Why        string   `json:"why,omitempty"`
	Needs      []string `json:"needs,omitempty"`
	Order      bool     `json:"order,omitempty"`
	Properties []string `json:"properties,omitempty"`
	Verbs      []string `json:"verbs,omitempty"`
}

type memoryObject struct {
	OK         bool   `json:"ok"`
	Why        string `json:"why,omitempty"`
	Dir        string `json:"dir,omitempty"`
	FileSystem string `json:"file_system,omitempty"`
	Needed     int64  `json:"needed_bytes"`
	Free       int64  `json:"free_bytes"`
	FileLimit  *int64 `json:"file_limit_bytes,omitempty"`
	AddressMax *int64 `json:"address_limit_bytes,omitempty"`
}

// WriteJSON writes what was found as one JSON object.
func (e *Examination) WriteJSON(w io.Writer) error {
	o := object{
		Complete: e.Complete(), Antichain: e.Version, Memory: e.memoryObject(), Capabilities: []capabilityObject{},
		Obstacles:  []string{},
		BuildCache: directoryOf(e.BuildCache), Own: directoryOf(e.Own), Environment: append([]string{}, e.Variables...),
		Tools: e.Tools,
	}
	if e.GoErr != nil {
		o.GoError = e.GoErr.Error()
	} else {
		in := e.Go
		o.Go = &goObject{in.Release.Name, in.Root, in.Command, in.OS, in.Arch, in.Release.IsKnown(), in.Cgo,
			in.Compiler}
		o.Obstacles = append(o.Obstacles, in.Obstacles...)
		for _, c := range in.Capabilities {
			have := capabilityObject{
				Name: c.Name, Gives: c.Gives, OK: c.Why == nil, Needs: c.Needs, Order: c.Order,
				Properties: c.Properties, Verbs: c.Verbs,
			}
			if c.Why != nil {
				have.Why = c.Why.Error()
			}
			o.Capabilities = append(o.Capabilities, have)
		}
	}
	return json.NewEncoder(w).Encode(o)
}

func (e *Examination) memoryObject() memoryObject {
	m := e.Memory
	o := memoryObject{OK: m.Err == nil, Dir: m.Dir, FileSystem: m.FileSystem, Needed: m.Needed, Free: m.Free,
		FileLimit: limitOrNil(m.FileLimit), AddressMax: limitOrNil(m.AddressMax)}
	if m.Err != nil {
		o.Why = m.Err.Error()
	}
	return o
}

// limitOrNil returns a limit; nil if there is none.
func limitOrNil(n int64) *int64 {
	if n == math.MaxInt64 {
		return nil
	}
	return &n
}

func directoryOf(d Directory) *Directory {
	if d.Path == "" {
		return nil
	}
	return &d
}
