// The client of antichain lsp.
'use strict'

const { commands, window, workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client

async function activate() {
  const command = workspace.getConfiguration('antichain').get('command')
  client = new LanguageClient('antichain', 'antichain', { command, args: ['lsp'] }, {
    documentSelector: ['antichain', 'gcl'].map(language => ({ scheme: 'file', language })),
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
