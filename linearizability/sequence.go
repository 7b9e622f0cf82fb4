package linearizability

import (
	"strconv"
	"strings"
)

// The state of a queue or a stack is the texts of its elements, the next to be taken first. As
// appendValue writes them, none is the beginning of another one.

// taking returns a method that takes an element, or finds that there is none.
func taking(remove bool) method {
	m := method{arguments: 0, step: func(s State, o *Operation) (State, bool) {
		elements := s.(string)
		if elements == "" {
			return s, gives(o, nil)
		}
		n := firstLen(elements)
		after := s
		if remove {
			after = elements[n:]
		}
		return after, o.Result == Unknown || string(appendValue(nil, o.Result)) == elements[:n]
	}, observes: always}
	if remove {
		m.observes = func(o *Operation) bool { return o.Result == nil }
	}
	return m
}

// firstLen returns the length of the text of the first element.
func firstLen(elements string) int {
	rest, skip := elements, 0
	if rest[0] == 'v' {
		rest, skip = rest[1:], 1
	}
	if rest[0] != 's' {
		return skip + strings.IndexByte(rest, ';') + 1
	}
	colon, n := 1, 0
	for ; rest[colon] != ':'; colon++ {
		n = 10*n + int(rest[colon]-'0')
	}
	return skip + colon + 1 + n + 1
}

// showElements shows the elements, the next to be taken first.
func showElements(s State) string {
	var texts []string
	for rest := s.(string); rest != ""; {
		n := firstLen(rest)
		element := strings.TrimSuffix(rest[:n], ";")
		switch rest[0] {
		case 'n':
			element = "nil"
		case 'i':
			element = element[1:]
		case 's':
			_, element, _ = strings.Cut(element, ":")
		case 'v': // its type, and then its text
			_, element, _ = strings.Cut(element, " ")
			if text, err := strconv.Unquote(element); err == nil {
				element = text
			}
		}
		texts = append(texts, element)
		rest = rest[n:]
	}
	return "[" + strings.Join(texts, " ") + "]"
}

// sequence returns a model whose elements are added by one function. An operation that adds may
// say, with false, that there was no room.
func sequence(name string, add func(elements, element string) string, adding, removing []string) Model {
	methods := map[string]method{}
	with(methods, method{1, func(s State, o *Operation) (State, bool) {
		if failed(o) {
			return s, true
		}
		return add(s.(string), string(appendValue(nil, o.Arguments[0]))), true
	}, failed}, adding...)
	with(methods, taking(true), removing...)
	with(methods, taking(false), "peek")
	return &builtIn{name: name, initial: "", methods: methods, show: showElements}
}

// Queue returns the model of a first-in, first-out queue: enqueue, dequeue and peek, which return
// nil if it is empty.
func Queue() Model {
	return sequence("queue", func(elements, element string) string { return elements + element },
		[]string{"enqueue", "push", "put", "add", "offer", "send"},
		[]string{"dequeue", "pop", "poll", "take", "receive"})
}

// Stack returns the model of a stack: push, pop and peek, which return nil if it is empty.
func Stack() Model {
	return sequence("stack", func(elements, element string) string { return element + elements },
		[]string{"push", "put", "add"}, []string{"pop", "take"})
}
