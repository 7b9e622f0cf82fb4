// Package reports writes what a verb has found into files, for people and for other programs:
// --report FORMAT=FILE.
//
// A Collection takes the results while they are reported. When the verb ends, each Destination gets
// the whole collection in its format, or stays as it was.
package reports
