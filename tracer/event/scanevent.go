package event

import "math"

// event reads one event.
func (s *scanner) event(e *Event) error {
	if !s.accept('{') {
		return s.badJSON("'{'")
	}
	var seen uint32
	version := s.version
	for first := true; ; first = false {
		more, err := s.next(first, '}')
		if err != nil {
			return err
		}
		if !more {
			if seen>>keyRecord != 0 {
				if err := s.operation(e, seen); err != nil {
					return err
				}
			}
			return s.end()
		}
		start := s.pos
		name, err := s.key()
		if err != nil {
			return err
		}
		k := eventKeyOf(string(name))
		if version == 0 {
			version = 1
			if k == keyRecord || k == keyCode {
				version = 2
			}
		}
		k = k.forVersion(version)
		if k == keyUnknown {
			if err := s.unknownKey(e, start, s.pool.str(name)); err != nil {
				return err
			}
			continue
		}
		if seen&(1<<k) != 0 {
			return s.errorAt(start, "bad JSON: key %q stands twice in one object", name)
		}
		seen |= 1 << k
		if err := s.eventField(e, k); err != nil {
			return err
		}
	}
}

func (s *scanner) eventField(e *Event, k eventKey) (err error) {
	switch k {
	case keyTask:
		e.Task, err = s.nameOf(k)
	case keyEnter:
		e.Enter, err = s.nameOf(k)
	case keyExit:
		e.Exit, err = s.nameOf(k)
	case keySpawn:
		e.Spawn, err = s.nameOf(k)
	case keySet:
		e.Set, err = s.bindingsOf(k, e.Set)
	case keyGlobal:
		e.Global, err = s.bindingsOf(k, e.Global)
	case keyWrite:
		e.Write, err = s.bindingsOf(k, e.Write)
	case keyAfter:
		e.After, err = s.refs(k, e.After)
	case keyWith:
		e.With, err = s.refs(k, e.With)
	case keyOp:
		e.Op, err = s.stringOf(k)
	case keyObj:
		e.Obj, err = s.stringOf(k)
	case keyAt:
		e.At, err = s.stringOf(k)
	case keyTS:
		e.TS, err = s.integer(k)
	default:
		err = s.recordField(e, k)
	}
	return err
}

func (s *scanner) unknownKey(e *Event, start int, name string) error {
	if name == headerMark {
		return s.errorAt(start, "repeated header")
	}
	if err := checkKey(name, s.version); err != nil {
		le := err.(*lineError)
		le.column = start + 1
		return le
	}
	s.keepNumbers = true
	v, err := s.value(s.depth)
	s.keepNumbers = false
	e.Extra = append(e.Extra, Binding{name, v})
	return err
}

// wrongType returns an error: the next value has the wrong type for the key.
func (s *scanner) wrongType(k eventKey, want string) error {
	if s.peek() == 0 && s.pos >= len(s.line) {
		return s.tooShort()
	}
	return s.errorAt(s.pos, "%q must be %s", eventKeys[k], want)
}

func (s *scanner) stringOf(k eventKey) (string, error) {
	if s.peek() != '"' {
		return "", s.wrongType(k, "a string")
	}
	b, err := s.str()
	if err != nil {
		return "", err
	}
	return s.pool.str(b), nil
}

// nameOf reads a nonempty string.
func (s *scanner) nameOf(k eventKey) (string, error) {
	start := s.pos
	name, err := s.stringOf(k)
	if err == nil && name == "" {
		return "", s.errorAt(start, "%q must not be empty", eventKeys[k])
	}
	return name, err
}

func (s *scanner) bindingsOf(k eventKey, dst []Binding) ([]Binding, error) {
	if s.peek() != '{' {
		return dst, s.wrongType(k, "an object of names and values")
	}
	return s.bindings(dst)
}

func (s *scanner) integer(k eventKey) (int64, error) {
	c := s.peek()
	if c != '-' && (c < '0' || c > '9') {
		return 0, s.wrongType(k, "an integer")
	}
	start := s.pos
	v, err := s.number()
	if err != nil {
		return 0, err
	}
	if v.Kind() != Int {
		s.pos = start
		return 0, s.wrongType(k, "an integer of 64 bits")
	}
	return v.Int(), nil
}

// refs reads a list of [task, k].
func (s *scanner) refs(k eventKey, dst []Ref) ([]Ref, error) {
	const want = "a list of [task, k]"
	if s.peek() != '[' {
		return dst, s.wrongType(k, want)
	}
	s.pos++
	for first := true; ; first = false {
		more, err := s.next(first, ']')
		if err != nil || !more {
			return dst, err
		}
		if !s.accept('[') {
			return dst, s.wrongType(k, want)
		}
		if s.peek() != '"' {
			return dst, s.wrongType(k, want)
		}
		task, err := s.str()
		if err != nil {
			return dst, err
		}
		name := s.pool.str(task)
		if !s.accept(',') {
			return dst, s.badJSON("','")
		}
		if s.peek(); s.pos >= len(s.line) {
			return dst, s.tooShort()
		}
		start := s.pos
		n, err := s.integer(k)
		if err != nil {
			return dst, err
		}
		if n > math.MaxInt {
			return dst, s.errorAt(start, "event number %d is too large", n)
		}
		if !s.accept(']') {
			return dst, s.badJSON("']'")
		}
		dst = append(dst, Ref{name, int(n)})
	}
}
