// Starts `openapi-pages lsp`: the version that the workspace has installed, or the one that is packaged with the extension.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const vscode = require('vscode')
const { LanguageClient, TransportKind } = require('vscode-languageclient/node')

let client

exports.activate = async () => {
  client = createClient()
  await client.start()
}

exports.deactivate = () => client?.stop()

function createClient() {
  // The scope of the setting is `machine`, so that a workspace cannot change it.
  const isAllowed = vscode.workspace.getConfiguration('openapi-pages').get('network') === true
  const server = { module: findServer(), transport: TransportKind.stdio, args: isAllowed ? ['lsp', '--network'] : ['lsp'] }
  const languages = ['yaml', 'json', 'jsonc', 'markdown', 'mdx']
  return new LanguageClient('openapi-pages', 'OpenAPI Pages', server, {
    documentSelector: languages.map((language) => ({ scheme: 'file', language })),
  })
}

/** A workspace that is not trusted must not choose the program that runs. */
function findServer() {
  const packaged = join(__dirname, 'node_modules/openapi-pages/bin/openapi-pages.cjs')
  if (!vscode.workspace.isTrusted) return packaged
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath)
  const installed = folders.map((folder) => join(folder, 'node_modules/openapi-pages/bin/openapi-pages.cjs'))
  return installed.find((path) => existsSync(path)) ?? packaged
}
