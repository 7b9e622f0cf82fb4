package event

// eventKey is a key of an event's line, in the order in which they are written.
type eventKey int

const (
	keyTask eventKey = iota
	keyEnter
	keyExit
	keySpawn
	keySet
	keyGlobal
	keyWrite
	keyAfter
	keyWith
	keyOp
	keyObj
	keyAt
	keyTS
	keyUnknown
)

var eventKeys = [keyUnknown]string{
	"t", "enter", "exit", "spawn", "set", "global", "write", "after", "with", "op", "obj", "at", "ts",
}

// eventKeyOf returns the key of that name, as eventKeys has it: each line of a trace asks for several.
func eventKeyOf(name string) eventKey {
	switch name {
	case "t":
		return keyTask
	case "enter":
		return keyEnter
	case "exit":
		return keyExit
	case "spawn":
		return keySpawn
	case "set":
		return keySet
	case "global":
		return keyGlobal
	case "write":
		return keyWrite
	case "after":
		return keyAfter
	case "with":
		return keyWith
	case "op":
		return keyOp
	case "obj":
		return keyObj
	case "at":
		return keyAt
	case "ts":
		return keyTS
	}
	return keyUnknown
}

// headerMark is the key that makes a line a header; its value is the format version.
const headerMark = "antichain"

const version = 1

// The other keys of the header.
const (
	keyTasks        = "tasks"
	keyConst        = "const"
	keyShared       = "shared"
	keyRun          = "run"
	keyProgram      = "program"
	keyHost         = "host"
	keyStart        = "start"
	keyInstrumented = "instrumented"
	keySparse       = "sparse"
	keyCaveat       = "caveat"
	keyUnordered    = "unordered"
)

func isHeaderKey(name string) bool {
	switch name {
	case headerMark, keyTasks, keyConst, keyShared, keyRun, keyProgram, keyHost, keyStart,
		keyInstrumented, keySparse, keyCaveat, keyUnordered:
		return true
	}
	return false
}
