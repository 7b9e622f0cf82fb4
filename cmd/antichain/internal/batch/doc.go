// Package batch answers a file of questions. Each question is a line of JSON, and so is each
// answer.
//
// A question that cannot be answered gets an object with an error. One that exhausts its budget
// gets an object with unknown. The caller defines the questions and their answers.
package batch
