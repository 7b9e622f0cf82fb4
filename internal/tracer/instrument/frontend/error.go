package frontend

import "errors"

// errorTexts returns the texts of an error. An error of errors.Join has several.
func errorTexts(err error) (texts []string, joined bool) {
	if err == nil {
		return nil, false
	}
	all, joined := err.(interface{ Unwrap() []error })
	if !joined {
		return []string{err.Error()}, false
	}
	for _, e := range all.Unwrap() {
		texts = append(texts, e.Error())
	}
	return texts, true
}

// parts returns the errors that were joined, or the only one.
func parts(err error) []error {
	if all, joined := err.(interface{ Unwrap() []error }); joined {
		return all.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// Err is the error of Run, with the same text and the same parts; nil if there was none.
func (r *Reply) Err() error {
	var all []error
	for _, text := range r.Errors {
		all = append(all, errors.New(text))
	}
	if len(all) == 1 && !r.Joined {
		return all[0]
	}
	return errors.Join(all...)
}
