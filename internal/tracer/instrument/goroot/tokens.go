package goroot

import (
	"errors"
	"go/scanner"
	"go/token"
	"strings"
)

// Patches are compared with the standard library as sequences of tokens, without comments, line
// breaks, commas before a closing bracket and redundant parentheses. A scanner is enough for that,
// which allows patches in a file with syntax newer than this package.

// lexeme is a token with its position in the source.
type lexeme struct {
	tok      token.Token
	text     string
	from, to int  // offsets in bytes
	begins   bool // it is the first one, or a semicolon that is not in the list comes before it
	// how far the closing bracket is away, 0 if this is no opening one or nothing closes it
	skip int

	*parenPairs // nil if there are no parentheses around it that were dropped
}

// parenPairs are the pairs of parentheses that begin right before a token, and the pairs that end
// right after it, as offsets of both parentheses.
type parenPairs struct{ opened, closed []span }

// pairsAround returns the pairs of dropped parentheses that begin before the token, and the pairs
// that end after it.
func (l *lexeme) pairsAround() (opened, closed []span) {
	if l.parenPairs == nil {
		return nil, nil
	}
	return l.opened, l.closed
}

// outer returns where the token begins and ends with the dropped parentheses around it.
func (l *lexeme) outer() (from, to int) {
	from, to = l.from, l.to
	opened, closed := l.pairsAround()
	for _, s := range opened {
		from = min(from, s.from)
	}
	for _, s := range closed {
		to = max(to, s.to+1)
	}
	return from, to
}

// scan returns the tokens of src that count.
func scan(src string) ([]lexeme, error) {
	all, err := scanAll(src)
	if err != nil {
		return nil, err
	}
	return significant(all), nil
}

// scanAll returns the tokens of src, but for commas before closing brackets.
func scanAll(src string) ([]lexeme, error) {
	var errs []error
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	s.Init(file, []byte(src), func(_ token.Position, msg string) { errs = append(errs, errors.New(msg)) }, 0)
	all := make([]lexeme, 0, len(src)/6)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return all, errors.Join(errs...)
		}
		from := file.Offset(pos)
		to := from + len(lit)
		switch {
		case !tok.IsLiteral() && tok != token.ILLEGAL:
			lit = tok.String()
			to = from + len(lit)
		case tok == token.STRING && lit[0] == '`':
			// without the carriage returns that are in the source
			if n := strings.IndexByte(src[from+1:], '`'); n >= 0 {
				to = from + 1 + n + 1
			}
		}
		if n := len(all); isClosing(tok) && n > 0 && all[n-1].tok == token.COMMA {
			all = all[:n-1]
		}
		all = append(all, lexeme{tok: tok, text: lit, from: from, to: min(to, len(src))})
	}
}

// significant drops the semicolons, which stand for line breaks, and the parentheses that change
// nothing.
func significant(all []lexeme) []lexeme {
	setSkips(all)
	drop := redundantParentheses(all)
	kept := all[:0]
	begins := true
	for i, l := range all {
		switch {
		case l.tok == token.SEMICOLON:
			begins = true
		case !drop[i]:
			l.begins = begins
			kept = append(kept, l)
			begins = false
		}
	}
	setSkips(kept)
	return kept
}

// setSkips notes how far closing brackets are away.
func setSkips(all []lexeme) {
	var open []int
	for i := range all {
		all[i].skip = 0
		switch {
		case isOpening(all[i].tok):
			open = append(open, i)
		case isClosing(all[i].tok) && len(open) > 0:
			last := open[len(open)-1]
			open = open[:len(open)-1]
			all[last].skip = i - last
		}
	}
}

func isOpening(t token.Token) bool {
	return t == token.LPAREN || t == token.LBRACE || t == token.LBRACK
}

func isClosing(t token.Token) bool {
	return t == token.RPAREN || t == token.RBRACE || t == token.RBRACK
}

// closingOf returns the index of the bracket that closes the bracket at open, -1 if there is none.
func closingOf(all []lexeme, open int) int {
	if end := open + all[open].skip; end > open && end < len(all) {
		return end
	}
	return -1
}

// endsOperand reports whether a token can be the last one of an operand, after which an operator
// has two operands and a parenthesis begins arguments.
func endsOperand(t token.Token) bool {
	return t.IsLiteral() || isClosing(t)
}

// redundantParentheses marks tokens that are parentheses around expressions that mean the same
// without them, and notes these at the tokens that stay. It decides inner pairs first: ((a+b))*c
// keeps one.
func redundantParentheses(all []lexeme) (drop []bool) {
	drop = make([]bool, len(all))
	var pairs []int
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].tok != token.LPAREN {
			continue
		}
		end := closingOf(all, i)
		if end > i+1 && all[end].tok == token.RPAREN && areParensRedundant(all, drop, i, end) {
			drop[i], drop[end] = true, true
			pairs = append(pairs, i)
		}
	}
	at := func(i int) *parenPairs {
		if all[i].parenPairs == nil {
			all[i].parenPairs = new(parenPairs)
		}
		return all[i].parenPairs
	}
	for _, i := range pairs {
		end := closingOf(all, i)
		pair := span{all[i].from, all[end].from}
		first, last := i, end
		for drop[first] {
			first++
		}
		for drop[last] {
			last--
		}
		at(first).opened, at(last).closed = append(at(first).opened, pair), append(at(last).closed, pair)
	}
	return drop
}

// areParensRedundant reports whether the parentheses at from and to can be left out.
func areParensRedundant(all []lexeme, drop []bool, from, to int) bool {
	if from == 0 || to+1 >= len(all) {
		return false
	}
	left, ok := precedenceBefore(all, from)
	if !ok {
		return false
	}
	inner, isPrimary, ok := lowestPrecedence(all, drop, from+1, to)
	if !ok {
		return false
	}
	after := all[to+1].tok
	// binds to the whole operand before it
	if after == token.LPAREN || after == token.LBRACK || after == token.PERIOD {
		return isPrimary
	}
	return (left == token.LowestPrec || inner > left) && inner >= after.Precedence()
}

// precedenceBefore returns that of the operator before the parenthesis at i, LowestPrec if an
// expression begins there. ok is false where none does.
func precedenceBefore(all []lexeme, i int) (left int, ok bool) {
	before := all[i-1].tok
	hasOperand := i > 1 && endsOperand(all[i-2].tok)
	switch before {
	case token.IF, token.SWITCH, token.FOR, token.RETURN, token.CASE, token.RANGE, token.LPAREN, token.LBRACK,
		token.LBRACE, token.COMMA,
		token.SEMICOLON, token.COLON, token.DEFINE, token.ASSIGN, token.ADD_ASSIGN, token.SUB_ASSIGN, token.MUL_ASSIGN,
		token.QUO_ASSIGN,
		token.REM_ASSIGN, token.AND_ASSIGN, token.OR_ASSIGN, token.XOR_ASSIGN, token.SHL_ASSIGN, token.SHR_ASSIGN,
		token.AND_NOT_ASSIGN:
		return token.LowestPrec, true
	case token.NOT, token.TILDE:
		return token.UnaryPrec, true
	case token.ARROW:
		if hasOperand { // something is sent
			return token.LowestPrec, true
		}
		return token.UnaryPrec, true
	}
	if left = before.Precedence(); left > token.LowestPrec && !hasOperand {
		left = token.UnaryPrec
	}
	return left, left > token.LowestPrec
}

// lowestPrecedence returns that of the operators with two operands in the expression all[from:to],
// HighestPrec if there is none, and whether it has no operators at all.
func lowestPrecedence(all []lexeme, drop []bool, from, to int) (lowest int, isPrimary, ok bool) {
	lowest, isPrimary = token.HighestPrec, true
	last := token.ILLEGAL
	for i := from; i < to; i++ {
		if drop[i] {
			continue
		}
		tok := all[i].tok
		hasOperand := endsOperand(last)
		if tok == token.FUNC && !hasOperand { // a literal
			body := bodyOf(all, i)
			if body < 0 || body >= to || closingOf(all, body) < 0 {
				return 0, false, false
			}
			i, last, isPrimary = closingOf(all, body), token.RBRACE, false
			continue
		}
		switch {
		case tok == token.COMMA || tok == token.SEMICOLON || tok.IsKeyword() || tok == token.ASSIGN ||
			tok == token.DEFINE || tok == token.ELLIPSIS,
			hasOperand && tok.IsLiteral(): // a parameter and its type
			return 0, false, false
		case tok.Precedence() > token.LowestPrec && hasOperand:
			lowest, isPrimary = min(lowest, tok.Precedence()), false
		case tok.IsOperator() && !isOpening(tok) && tok != token.PERIOD:
			isPrimary = false
		}
		last = tok
		if end := closingOf(all, i); isOpening(tok) && end > 0 {
			i, last = end, all[end].tok
			if tok == token.LBRACK && !hasOperand { // of a type, which follows
				last = token.ILLEGAL
			}
		}
	}
	return lowest, isPrimary, true
}

// span is a range of tokens.
type span struct{ from, to int }

// declaration finds a declaration at the top level: "chansend", "(*Mutex).Lock", "type g", "const
// name" or "var name". It returns its tokens from the keyword, or in a group from the name, to the
// end, and no span if there is no such declaration. A function without a body is none.
func declaration(all []lexeme, name string) (found []span) {
	kind, rest, isOther := strings.Cut(name, " ")
	receiver, method, isMethod := strings.Cut(name, ").")
	for i := 0; i < len(all); i++ {
		end := endOfDeclaration(all, i)
		switch {
		case !all[i].begins:
		case isOther && all[i].text == kind && i+1 < len(all) && all[i+1].tok == token.LPAREN:
			for k := i + 2; k < end-1; k = endOfDeclaration(all, k) {
				if all[k].text == rest {
					found = append(found, span{k, min(endOfDeclaration(all, k), end-1)})
				}
			}
		case isOther && all[i].text == kind && i+1 < len(all) && all[i+1].text == rest:
			found = append(found, span{i, end})
		case isOther || all[i].tok != token.FUNC || bodyOf(all, i) < 0:
		case isMethod && hasReceiver(all, i, strings.TrimPrefix(receiver, "("), method), !isMethod && i+1 < len(all) &&
			hasName(all[i+1], name):
			found = append(found, span{i, end})
		}
		i = end - 1
	}
	return found
}

// endOfDeclaration returns the index after the declaration that begins at i: of the next one, or of
// the bracket that closes the group.
func endOfDeclaration(all []lexeme, i int) int {
	for j := i; j < len(all); j++ {
		if j > i && (all[j].begins || isClosing(all[j].tok)) {
			return j
		}
		if end := closingOf(all, j); end > 0 {
			j = end
		}
	}
	return len(all)
}

// hasName reports whether a token is the name, or begins like it if it ends in "*".
func hasName(l lexeme, name string) bool {
	if prefix, ok := strings.CutSuffix(name, "*"); ok {
		return l.tok == token.IDENT && strings.HasPrefix(l.text, prefix)
	}
	return l.text == name
}

// hasReceiver reports whether the function at i has this receiver type and name.
func hasReceiver(all []lexeme, i int, receiver, method string) bool {
	if i+1 >= len(all) || all[i+1].tok != token.LPAREN {
		return false
	}
	end := closingOf(all, i+1)
	if end < 0 || end+1 >= len(all) || all[end+1].text != method {
		return false
	}
	var typ strings.Builder
	in := all[i+2 : end]
	if len(in) > 1 && in[0].tok == token.IDENT && (in[1].tok == token.IDENT || in[1].tok == token.MUL) {
		in = in[1:] // its name
	}
	for _, l := range in {
		if l.tok == token.LBRACK {
			break // type parameters
		}
		typ.WriteString(l.text)
	}
	return typ.String() == receiver
}

// bodyOf returns the index of the brace that begins the body of the function at i, -1 if it has
// none.
func bodyOf(all []lexeme, i int) int {
	for j := i + 1; j < len(all) && !all[j].begins; j++ {
		if all[j].tok == token.LBRACE && all[j-1].tok != token.INTERFACE && all[j-1].tok != token.STRUCT {
			return j
		}
		if isOpening(all[j].tok) {
			if j = closingOf(all, j); j < 0 {
				return -1
			}
		}
	}
	return -1
}

// parameters returns the names of the receiver, if there is one, and the parameters of the function
// at i; "" for those without a name.
func parameters(all []lexeme, i int) []string {
	var names []string
	j := i + 1
	next := func(open token.Token) []lexeme {
		if j >= len(all) || all[j].tok != open {
			return nil
		}
		from, end := j+1, closingOf(all, j)
		if end < 0 {
			return nil
		}
		j = end + 1
		return all[from:end]
	}
	names = append(names, namesIn(next(token.LPAREN))...)
	j++ // the name
	next(token.LBRACK)
	return append(names, namesIn(next(token.LPAREN))...)
}

// namesIn returns the names in a list of parameters, "" for each if there are types only.
func namesIn(list []lexeme) []string {
	if len(list) == 0 {
		return nil
	}
	var names []string
	hasNames := false
	for from := 0; from <= len(list); {
		to := from
		for to < len(list) && list[to].tok != token.COMMA {
			if end := closingOf(list, to); end > 0 {
				to = end
			}
			to++
		}
		hasNames = hasNames || isNamed(list[from:to])
		names = append(names, "")
		if from < to && list[from].tok == token.IDENT {
			names[len(names)-1] = list[from].text
		}
		from = to + 1
	}
	if !hasNames {
		clear(names)
	}
	return names
}

// isNamed reports whether a parameter has a name and a type.
func isNamed(p []lexeme) bool {
	if len(p) < 2 || p[0].tok != token.IDENT || p[1].tok == token.PERIOD {
		return false
	}
	return p[1].tok != token.LBRACK || closingOf(p, 1) < len(p)-1
}
