// The examples of this repository as VS Code colours them.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import test from 'node:test'

const require = createRequire(import.meta.url)
const oniguruma = require('vscode-oniguruma')
const textmate = require('vscode-textmate')

const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'))
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength))
const { contributes } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const registry = new textmate.Registry({
  onigLib: Promise.resolve({ createOnigScanner: s => new oniguruma.OnigScanner(s), createOnigString: s => new oniguruma.OnigString(s) }),
  loadGrammar: async scope => {
    const { path } = contributes.grammars.find(g => g.scopeName === scope)
    return textmate.parseRawGrammar(readFileSync(new URL(path, import.meta.url), 'utf8'), path)
  },
})

// words returns the parts of a text that are no blanks, each with its innermost scope.
async function words(scope, text) {
  const grammar = await registry.loadGrammar(scope)
  const all = []
  let stack = textmate.INITIAL
  for (const line of text.split(/\r?\n/)) {
    const { tokens, ruleStack, stoppedEarly } = grammar.tokenizeLine(line, stack)
    assert.equal(stoppedEarly, false)
    stack = ruleStack
    for (const t of tokens) {
      const word = line.slice(t.startIndex, t.endIndex).trim()
      if (word) all.push([word, t.scopes.at(-1)])
    }
  }
  return all
}

// What no pattern matches is punctuation.
for (const [scope, extension, atLeast] of [['source.antichain', '.tl', 6], ['source.gcl', '.gcl', 5]]) {
  const examples = new URL('../../../../examples/', import.meta.url)
  const files = readdirSync(examples, { recursive: true }).filter(name => name.endsWith(extension))
  test(`${extension} below examples`, async () => {
    assert.ok(files.length >= atLeast, `${files.length} files`)
    for (const name of files) {
      const all = await words(scope, readFileSync(new URL(name, examples), 'utf8'))
      assert.ok(all.length > 10, name)
      for (const [word, innermost] of all) {
        if (innermost === scope) assert.match(word, /^[()[\]{}:;,.\s]+$/, `${name}: ${word}`)
      }
    }
  })
}

test('kinds of words in .tl', async () => {
  const all = await words('source.antichain', `property p initially: // note
    not (t':(in.Queue.put and start."(*Q).put" and b.next.in.x[1] == "a // b" -> even(q) or -2.5 < next.y) until exists u (u:(true)))
    if t' == caller(u)
must_finish main."(*T).run"`)
  for (const want of [
    ['property', 'keyword.other.antichain'], ['p', 'entity.name.type.antichain'], ['initially', 'keyword.other.antichain'],
    ['// note', 'comment.line.double-slash.antichain'], ["t'", 'variable.parameter.antichain'],
    ['in', 'keyword.operator.word.antichain'], ['Queue.put', 'entity.name.function.antichain'],
    ['"(*Q).put"', 'entity.name.function.antichain'], ['b.next.in.x', 'variable.other.antichain'],
    ['"a // b"', 'string.quoted.double.antichain'], ['->', 'keyword.operator.logical.antichain'],
    ['even', 'support.function.antichain'], ['2.5', 'constant.numeric.antichain'], ['next.y', 'variable.other.antichain'],
    ['until', 'keyword.operator.temporal.antichain'], ['u', 'variable.parameter.antichain'], ['true', 'constant.language.antichain'],
    ['if', 'keyword.operator.logical.antichain'], ['caller', 'support.function.antichain'], ['must_finish', 'keyword.other.antichain'],
    ['main."(*T).run"', 'variable.other.antichain'],
  ]) {
    assert.ok(all.some(([word, scope]) => word === want[0] && scope === want[1]), `${want}: ${JSON.stringify(all)}`)
  }
})

test('kinds of words in .gcl', async () => {
  const all = await words('source.gcl', 'PROCESS P1 L0 : if (x != 1 && !y) goto L1; x :=: y; // note\nEND')
  for (const want of [
    ['PROCESS', 'keyword.other.gcl'], ['P1', 'entity.name.type.gcl'], ['if', 'keyword.control.gcl'], ['x', 'variable.other.gcl'],
    ['!=', 'keyword.operator.gcl'], ['&&', 'keyword.operator.logical.gcl'], ['!', 'keyword.operator.logical.gcl'], ['1', 'constant.numeric.gcl'],
    ['L1', 'entity.name.label.gcl'], [':=:', 'keyword.operator.gcl'], ['// note', 'comment.line.double-slash.gcl'], ['END', 'keyword.control.gcl'],
  ]) {
    assert.ok(all.some(([word, scope]) => word === want[0] && scope === want[1]), `${want}: ${JSON.stringify(all)}`)
  }
})
