// Package jepsen reads histories that Jepsen, and tools that write as it does, have recorded.
//
// A history is a text of one of these forms, in which each line or map is a call or its completion:
//
//	{:process 0, :type :invoke, :f :write, :value 4}    maps of EDN, also as one vector of maps,
//	{:process 0, :type :ok, :f :write, :value 4}        or as records, #jepsen.history.Op{…}
//
//	0	:invoke	:write	4                            lines, also behind the head of a line of a log:
//	0	:ok	:write	4                                INFO  jepsen.util - 0	:ok	:write	4
//
// The order of the text is that of time. An operation that completes with :ok has returned. One
// that completes with :fail did not happen, and is left out. One that completes with :info, or not
// at all, is unfinished.
//
// The object is what :key names. If all values are pairs of a key and a value, as Jepsen's
// independent generators write them, it is that key.
package jepsen
