// The findings of a run of antichain at their lines, in an editor of which only the interface is there.
// ANTICHAIN names another command than antichain.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

class Uri {
  constructor(href) { this.href = href }
  static parse(href) { return new Uri(href) }
  static joinPath(uri, ...parts) { return new Uri(new URL(['.', ...parts.filter(Boolean)].join('/'), uri.href + '/').href) }
  get path() { return new URL(this.href).pathname }
  get fsPath() { return fileURLToPath(this.href) }
  with({ path }) { return new Uri(new URL(path, this.href).href) }
  toString() { return this.href }
}

// fake is an editor with one folder. It keeps what the extension shows, and runs.
function fake(folder) {
  const editor = { shown: new Map(), commands: {}, terminals: [], opened: [], said: [], watched: {}, trusted: true }
  const range = class { constructor(line) { this.start = this.end = { line } } }
  editor.vscode = {
    Uri, Range: range, RelativePattern: class {}, Location: class { constructor(uri, r) { Object.assign(this, { uri, range: r }) } },
    Diagnostic: class { constructor(r, message, severity) { Object.assign(this, { range: r, message, severity }) } },
    DiagnosticRelatedInformation: class { constructor(location, message) { Object.assign(this, { location, message }) } },
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 }, CodeActionKind: { QuickFix: 'quickfix' },
    CodeAction: class { constructor(title) { this.title = title } },
    env: { openExternal: uri => editor.opened.push(uri.fsPath) },
    commands: { registerCommand: (name, run) => { editor.commands[name] = run } },
    languages: {
      createDiagnosticCollection: () => ({
        clear: () => editor.shown.clear(), set: (uri, list) => editor.shown.set(uri.fsPath, list), dispose() {},
      }),
      registerCodeActionsProvider: (_, provider) => { editor.provider = provider },
    },
    window: {
      createTerminal: ({ cwd }) => ({ show() {}, sendText: text => editor.terminals.push([cwd.fsPath, text]) }),
      showWarningMessage: text => editor.said.push(text), showInformationMessage: text => editor.said.push(text),
    },
    workspace: {
      get isTrusted() { return editor.trusted },
      workspaceFolders: [{ uri: new Uri(pathToFileURL(folder).href) }],
      getConfiguration: () => ({ get: name => ({ findings: 'antichain.sarif' })[name] }),
      createFileSystemWatcher: () => new Proxy({}, { get: (_, on) => on === 'dispose' ? () => {} : run => { editor.watched[on] = run } }),
      fs: { readFile: async uri => readFileSync(uri.fsPath), stat: async uri => statSync(uri.fsPath) },
    },
  }
  return editor
}

// extension loads the extension's part for findings into an editor.
function extension(editor) {
  const require = createRequire(import.meta.url)
  const load = Module._load
  Module._load = (name, ...rest) => name === 'vscode' ? editor.vscode : load(name, ...rest)
  try {
    delete require.cache[require.resolve('./findings.js')]
    return require('./findings.js')
  } finally {
    Module._load = load
  }
}

// log is a report of one finding, as antichain writes it.
const log = (root, more = {}) => JSON.stringify({
  runs: [{
    originalUriBaseIds: { '%SRCROOT%': { uri: pathToFileURL(root + '/').href } },
    results: [{
      ruleId: 'deadlock', level: 'error', message: { text: 'a waits for b' }, properties: { again: "antichain replay 'a b.schedule' ." },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'a%20b/main.go', uriBaseId: '%SRCROOT%' }, region: { startLine: 23 } } }],
      relatedLocations: [{
        physicalLocation: { artifactLocation: { uri: 'main.go', uriBaseId: '%SRCROOT%' }, region: { startLine: 5 } }, message: { text: 'locked here' },
      }, { message: { text: 'in no file' } }],
      ...more,
    }],
  }],
})

// trace is a run in which two goroutines are in f at the same time.
const trace = [
  '{"antichain":1,"tasks":["main"]}', '{"t":"main","spawn":"p"}',
  '{"t":"main","enter":"f","at":"main.go:7"}', '{"t":"p","enter":"f","at":"main.go:7"}',
].join('\n')

async function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'antichain-findings-'))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('findings are shown at their lines, and follow the report', () => withFolder(async folder => {
  const editor = fake(folder), report = join(folder, 'antichain.sarif')
  await extension(editor).showFindings([])
  assert.equal(editor.shown.size, 0)

  writeFileSync(report, log(folder))
  await editor.watched.onDidCreate()
  const [[file, [shown]]] = editor.shown
  assert.equal(file, join(folder, 'a b/main.go'))
  assert.deepEqual([shown.range.start.line, shown.message, shown.severity, shown.source, shown.code],
    [22, 'a waits for b', 0, 'antichain', 'deadlock'])
  assert.deepEqual(shown.relatedInformation.map(r => [r.location.uri.fsPath, r.location.range.start.line, r.message]),
    [[join(folder, 'main.go'), 4, 'locked here']])

  writeFileSync(report, log(folder, { level: 'warning' }))
  await editor.watched.onDidChange()
  assert.equal([...editor.shown.values()][0][0].severity, 1)

  writeFileSync(report, log(folder, { suppressions: [{ kind: 'external' }] }))
  await editor.watched.onDidChange()
  assert.equal(editor.shown.size, 0, 'a known finding')

  writeFileSync(report, log(folder).slice(0, 100))
  await editor.watched.onDidChange()
  assert.equal(editor.shown.size, 0, 'a report that is being written')
}))

test('a finding can be replayed, and its page opened', () => withFolder(async folder => {
  const editor = fake(folder)
  writeFileSync(join(folder, 'antichain.sarif'), log(folder))
  await extension(editor).showFindings([])
  const actions = line => editor.provider.provideCodeActions(
    { uri: new Uri(pathToFileURL(join(folder, 'a b/main.go')).href) }, { start: { line }, end: { line } })
  assert.deepEqual(actions(21), [])
  const [again, page] = actions(22).map(a => a.command)

  editor.commands[again.command](...again.arguments)
  assert.deepEqual(editor.terminals, [[folder, "antichain replay 'a b.schedule' ."]])
  editor.trusted = false
  editor.commands[again.command](...again.arguments)
  assert.equal(editor.terminals.length, 1, 'a workspace that is not trusted runs no command')
  assert.match(editor.said.pop(), /trusted/)

  await editor.commands[page.command](...page.arguments)
  assert.match(editor.said.pop(), /antichain\.html does not exist/)
  writeFileSync(join(folder, 'antichain.html'), '')
  await editor.commands[page.command]()
  assert.deepEqual(editor.opened, [join(folder, 'antichain.html')])
}))

test('a report of antichain is shown', () => withFolder(async folder => {
  const editor = fake(folder)
  writeFileSync(join(folder, 'main.go'), '')
  const { status } = spawnSync(process.env.ANTICHAIN ?? 'antichain',
    ['check', '-e', 'not (t1:(in.f) and t2:(in.f)) if t1 != t2', '--report', 'sarif=antichain.sarif', '-'], { cwd: folder, input: trace })
  assert.equal(status, 1)
  await extension(editor).showFindings([])
  const [[file, [shown]]] = editor.shown
  assert.deepEqual([file, shown.range.start.line, shown.severity], [join(folder, 'main.go'), 6, 0])
}))
