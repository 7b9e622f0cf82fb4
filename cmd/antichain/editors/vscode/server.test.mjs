// antichain lsp, as the client library of VS Code talks to it. ANTICHAIN names another command than antichain.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test from 'node:test'

const require = createRequire(import.meta.url)
const protocol = require('vscode-languageserver-protocol/node')

test('a session', { timeout: 60_000 }, async () => {
  const server = spawn(process.env.ANTICHAIN ?? 'antichain', ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = new Promise((resolve, reject) => server.on('error', reject).on('exit', resolve))
  const connection = protocol.createProtocolConnection(server.stdout, server.stdin)
  const published = new Promise(resolve => connection.onNotification(protocol.PublishDiagnosticsNotification.type, resolve))
  connection.listen()

  const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type,
    { processId: process.pid, rootUri: null, capabilities: {} })
  assert.equal(capabilities.textDocumentSync, protocol.TextDocumentSyncKind.Full)
  await connection.sendNotification(protocol.InitializedNotification.type, {})

  const url = new URL('../../../../examples/ringbuffer/ringbuffer.tl', import.meta.url)
  const text = readFileSync(url, 'utf8') + 'property broken: t:(x'
  const textDocument = { uri: url.href }
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type,
    { textDocument: { ...textDocument, languageId: 'antichain', version: 1, text } })
  const { diagnostics } = await published
  assert.ok(diagnostics.some(d => d.severity === protocol.DiagnosticSeverity.Error && d.message.includes('end of the input')))

  const line = text.split('\n').findIndex(l => l.includes('in.append'))
  const position = { line, character: text.split('\n')[line].indexOf('append)') + 1 }
  const [definition] = await connection.sendRequest(protocol.DefinitionRequest.type, { textDocument, position })
  assert.match(definition.uri, /ringbuffer\/main\.go$/)
  const symbols = await connection.sendRequest(protocol.DocumentSymbolRequest.type, { textDocument })
  assert.deepEqual(symbols.map(s => s.name), ['exclusive_append', 'same_element'])

  await connection.sendRequest(protocol.ShutdownRequest.type)
  await connection.sendNotification(protocol.ExitNotification.type)
  assert.equal(await exited, 0)
})
