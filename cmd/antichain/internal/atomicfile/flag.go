package atomicfile

import "errors"

// Flag is a flag that names a file to be written.
type Flag string

// errStdout says why a file cannot have that name. What else goes to standard output would be mixed
// with its content.
var errStdout = errors.New("this is not written to standard output, which has other lines: name a file, or ./- for one that is called so")

// CheckName refuses the name that stands for standard output elsewhere.
func CheckName(name string) error {
	if name == "-" {
		return errStdout
	}
	return nil
}

// Set implements pflag.Value.
func (f *Flag) Set(name string) error {
	*f = Flag(name)
	return CheckName(name)
}

// String implements pflag.Value.
func (f *Flag) String() string { return string(*f) }

// Type implements pflag.Value.
func (f *Flag) Type() string { return "string" }
