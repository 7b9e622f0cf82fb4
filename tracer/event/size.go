package event

// Size returns the approximate memory of the event in bytes.
func (e *Event) Size() int {
	n := len(e.Task) + len(e.Enter) + len(e.Exit) + len(e.Spawn) + len(e.Op) + len(e.Obj) + len(e.At)
	for _, bs := range [...][]Binding{e.Set, e.Global, e.Write, e.Extra} {
		n += fieldsSize(bs)
	}
	for _, refs := range [...][]Ref{e.After, e.With} {
		for i := range refs {
			n += 24 + len(refs[i].Task)
		}
	}
	if e.Record != nil {
		n += 120 + len(e.Record.Payload)
	}
	if e.Code != nil {
		n += 200 * (1 + len(e.Code.Calls))
	}
	return n
}

func fieldsSize(bs []Binding) int {
	n := 0
	for i := range bs {
		n += 16 + len(bs[i].Name) + valueSize(bs[i].Value)
	}
	return n
}

func valueSize(v Value) int {
	n := 24
	switch v.Kind() {
	case String:
		n += len(v.Str())
	case List:
		for _, w := range v.List() {
			n += valueSize(w)
		}
	case Object:
		n += fieldsSize(v.Fields())
	}
	return n
}
