package event

// eventKey is a key of an event's line, in the order of writing.
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

	// Since version 2.
	keyRecord
	keyGoroutine
	keyOn
	keyOf
	keyN
	keyPC
	keyIndex
	keySkipped
	keyData
	keyCode
	keySum
	keyUnknown
)

// forVersion returns the key, or keyUnknown if the version does not have it.
func (k eventKey) forVersion(version int) eventKey {
	if k > keyTS && version < 2 {
		return keyUnknown
	}
	return k
}

var eventKeys = [keyUnknown]string{
	"t", "enter", "exit", "spawn", "set", "global", "write", "after", "with", "op", "obj", "at", "ts",
	"rec", "g", "on", "of", "n", "pc", "index", "skipped", "data", "code", "sum",
}

// eventKeyOf returns the key of that name, as in eventKeys. A switch is faster than a map, and each
// line has several keys.
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
	case "rec":
		return keyRecord
	case "g":
		return keyGoroutine
	case "on":
		return keyOn
	case "of":
		return keyOf
	case "n":
		return keyN
	case "pc":
		return keyPC
	case "index":
		return keyIndex
	case "skipped":
		return keySkipped
	case "data":
		return keyData
	case "code":
		return keyCode
	case "sum":
		return keySum
	}
	return keyUnknown
}

// headerMark is the key that marks a line as a header; its value is the format version.
const headerMark = "antichain"

// Version is the latest version of the format, which tracers write.
const Version = 2

// freePrefix begins the keys that any producer may add to version 2. Other unknown keys are errors
// there.
const freePrefix = "x-"
