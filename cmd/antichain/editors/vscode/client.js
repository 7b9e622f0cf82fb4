// The extension: the client of antichain lsp, and the findings of the last run.
'use strict'

const { commands, window, workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')
const { showFindings } = require('./findings.js')

const served = ['antichain', 'gcl']

let client

async function activate({ subscriptions }) {
  await showFindings(subscriptions)
  const startFor = ({ languageId }) => { if (!client && served.includes(languageId)) return start() }
  subscriptions.push(workspace.onDidOpenTextDocument(startFor))
  await Promise.all(workspace.textDocuments.map(startFor))
}

// start starts the server, once a file that it serves is open.
async function start() {
  const command = workspace.getConfiguration('antichain').get('command')
  client = new LanguageClient('antichain', 'antichain', { command, args: ['lsp'] }, {
    documentSelector: served.map(language => ({ scheme: 'file', language })),
  })
  try {
    await client.start()
  } catch (error) {
    const settings = 'Open Settings'
    const choice = await window.showErrorMessage(
      `"${command} lsp" does not start (${error.message}). Install antichain, or name its command in the settings.`, settings)
    if (choice === settings) await commands.executeCommand('workbench.action.openSettings', 'antichain.command')
  }
}

const deactivate = () => client?.isRunning() ? client.stop() : undefined

module.exports = { activate, deactivate }
