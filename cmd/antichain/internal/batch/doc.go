// Package batch answers questions that come as lines of JSON, each with a line of JSON: a line that cannot be answered with an
// object that has an error, one for which a budget ran out with an object that says unknown. The questions and their answers
// are the caller's.
package batch
