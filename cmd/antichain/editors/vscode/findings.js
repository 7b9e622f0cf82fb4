// The findings of the last run: of the report that antichain run and test write with --report sarif=antichain.sarif.
'use strict'

const { posix } = require('node:path')
const vscode = require('vscode')

const { commands, languages, window, workspace } = vscode

const severities = { error: 'Error', warning: 'Warning', note: 'Information', none: 'Hint' }

// findingsOf returns the findings in a SARIF log, without those that are known.
function findingsOf(text) {
  return (JSON.parse(text).runs ?? []).flatMap(run => (run.results ?? [])
    .filter(result => !result.suppressions?.length)
    .flatMap(result => findingOf(run, result)))
}

// findingOf returns the finding of a result; none if no place of it is in a file.
function findingOf(run, result) {
  const [at, ...related] = [...result.locations ?? [], ...result.relatedLocations ?? []].flatMap(l => placeOf(run, l))
  if (!at) return []
  return [{
    at, related, property: result.ruleId, message: result.message.text, again: result.properties?.again,
    severity: severities[result.level ?? 'warning'] ?? 'Warning',
  }]
}

// placeOf returns the file of a location and its line, from 0.
function placeOf(run, { physicalLocation: physical, message }) {
  if (!physical?.artifactLocation?.uri) return []
  const { uri, uriBaseId } = physical.artifactLocation
  const base = run.originalUriBaseIds?.[uriBaseId]?.uri
  if (!base && !URL.canParse(uri)) return []
  return [{ uri: new URL(uri, base).href, line: (physical.region?.startLine ?? 1) - 1, message: message?.text ?? '' }]
}

// Findings shows the report of a folder, and follows it.
class Findings {
  constructor(folder, name) {
    this.folder = folder
    this.report = vscode.Uri.joinPath(folder.uri, name)
    this.page = this.report.with({ path: this.report.path.replace(/(\.sarif)?$/, '.html') })
    this.diagnostics = languages.createDiagnosticCollection('antichain findings')
    this.shown = []
    const { dir, base } = posix.parse(name)
    this.watcher = workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.joinPath(folder.uri, dir), base))
    for (const on of ['onDidCreate', 'onDidChange', 'onDidDelete']) this.watcher[on](() => this.read())
  }

  // read shows what the report has. A report that is missing, or not complete, has nothing.
  async read() {
    try {
      this.shown = findingsOf(new TextDecoder().decode(await workspace.fs.readFile(this.report)))
    } catch {
      this.shown = []
    }
    const byFile = new Map()
    for (const finding of this.shown) {
      byFile.set(finding.at.uri, [...byFile.get(finding.at.uri) ?? [], diagnosticOf(finding)])
    }
    this.diagnostics.clear()
    for (const [uri, list] of byFile) this.diagnostics.set(vscode.Uri.parse(uri), list)
  }

  // at returns the findings on lines of a file.
  at(uri, range) {
    return this.shown.filter(({ at }) => vscode.Uri.parse(at.uri).toString() === uri.toString() &&
      range.start.line <= at.line && at.line <= range.end.line)
  }

  dispose() {
    this.watcher.dispose()
    this.diagnostics.dispose()
  }
}

// wholeLine is the range of a line: a report has no columns.
const wholeLine = line => new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER)

function diagnosticOf(finding) {
  const d = new vscode.Diagnostic(wholeLine(finding.at.line), finding.message, vscode.DiagnosticSeverity[finding.severity])
  d.source = 'antichain'
  d.code = finding.property
  d.relatedInformation = finding.related.map(({ uri, line, message }) => new vscode.DiagnosticRelatedInformation(
    new vscode.Location(vscode.Uri.parse(uri), wholeLine(line)), message))
  return d
}

// replay runs the command that shows a finding again. A report is a file of the workspace, and may come from
// elsewhere: its commands are run only in a workspace that the user trusts.
function replay(again, cwd) {
  if (!workspace.isTrusted) {
    window.showWarningMessage('antichain replays findings only in a trusted workspace.')
    return
  }
  const terminal = window.createTerminal({ name: 'antichain', cwd })
  terminal.show()
  terminal.sendText(again)
}

async function openPage(page) {
  try {
    await workspace.fs.stat(page)
  } catch {
    window.showInformationMessage(`${page.fsPath} does not exist: add --report html=${posix.basename(page.path)} to the run.`)
    return
  }
  await vscode.env.openExternal(page)
}

// actionsOf offers what can be done about the findings on some lines.
function actionsOf(all, document, range) {
  return all.flatMap(findings => findings.at(document.uri, range).flatMap(({ property, again }) => {
    const actions = [action('Open the page of the last run', 'antichain.openPage', [findings.page])]
    if (again) actions.unshift(action(`Replay: ${property}`, 'antichain.replay', [again, findings.folder.uri]))
    return actions
  }))
}

function action(title, command, args) {
  const a = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix)
  a.command = { title, command, arguments: args }
  return a
}

// showFindings shows the findings of each folder of the workspace, until the extension ends.
function showFindings(subscriptions) {
  const name = workspace.getConfiguration('antichain').get('findings')
  const all = (workspace.workspaceFolders ?? []).map(folder => new Findings(folder, name))
  subscriptions.push(...all,
    languages.registerCodeActionsProvider({ language: 'go', scheme: 'file' },
      { provideCodeActions: (document, range) => actionsOf(all, document, range) }),
    commands.registerCommand('antichain.replay', replay),
    commands.registerCommand('antichain.openPage', page => openPage(page ?? all[0].page)))
  return Promise.all(all.map(findings => findings.read()))
}

module.exports = { findingsOf, showFindings }
