// Package ndjson reads logs of JSON objects, one a line, as a mapping says that is written for the log.
//
//	{"svc":"web","msg":"order","id":"o1","state":{"stock":7}}
//	{"svc":"db","msg":"order received","id":"o1"}
//
// Read makes runs of them:
//
//	mapping, err := ndjson.ParseMapping("mapping.json", text)
//	runs, err := ndjson.Read(file, "shop.log", mapping, ndjson.Options{})
//	err = runs[0].Next(&e) // until io.EOF
//
// # Mapping
//
// A mapping is a JSON object, as this one for the log above:
//
//	{
//	  "task":    "svc",
//	  "event":   "msg",
//	  "send":    {"key": "id", "if": {"msg": "order"}},
//	  "receive": {"key": "id", "if": {"msg": "order received"}},
//	  "set":     {"state.stock": "stock"}
//	}
//
// A field is named by its path, with dots between the names of an object and of what is in it. Where a name has dots
// itself, as "service.name", the longest one that is there is taken. All but "task" can be left out:
//
//	task       the field with the name of the task, a string or a number; tasks are initial
//	event      the field that says what happened: the op of the event, and its variable event
//	enter      an object: with this value of event the task enters a function of this name, as in
//	exit       {"begin": "handle"}; {path} in a name stands for the field's value: {"begin": "{func}"}
//	send       the field with the key of a message that the line sends, or of one that it receives;
//	receive    a list has several. With {"key": path, "if": condition} only where the condition holds
//	unmatched  "accept" if messages may be received that no line sends, which else is an error; a receive
//	           then comes after nothing, and the trace has a caveat
//	set        an object of paths and names of variables, which the task has from then on, as
//	           {"state.stock": "stock"}. "*": "*" in it takes all fields under their own names
//	run        the field that says which run a line belongs to, if the log has several
//	if         a condition; other lines are left out
//	at         the field with the position in the source, as file.go:12; else it is that in the log
//
// A condition is an object of paths and the values that they must have, all of them; a list is of values of which one
// suffices. What has another name is a mistake.
//
// # Order
//
// The lines of a task stand in the order in which they happened. The lines of different tasks may stand in any
// order, since their clocks differ: only messages order them. A receive comes after the send of the same key, which can be in
// any line of the run; there is one send of a key, and any number of receives. Since all tasks of a run are
// initial, the whole log is read before the first event is delivered, and then in an order in which causes come first.
//
// Errors are: a line that is no object, or has no task or no run; two sends of one key; a receive without a
// send; and a receive that comes before its send in every order.
package ndjson
