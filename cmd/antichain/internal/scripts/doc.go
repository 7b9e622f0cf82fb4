// Package scripts tests the command by scripts, at least one for each verb: testdata has a file for
// each topic. They run an antichain that is built for them, so they have a package of their own,
// beside which others are tested.
package scripts
