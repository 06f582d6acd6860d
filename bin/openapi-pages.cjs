#!/usr/bin/env node
'use strict'
// CommonJS that any Node reads, so that an old version prints what it needs instead of a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major >= 24 || (major === 22 && minor >= 19)) {
  // The app is in another package, because it loads a server that no other command needs.
  const isOfApp = ['serve', 'token', 'project', 'backup', 'reconcile', 'inspect', 'migrate-store'].includes(process.argv[2])
  if (isOfApp) startApp(process.argv[2])
  else {
    const { findUserCache, useCompileCache } = require('./compile-cache.cjs')
    useCompileCache(findUserCache(), 'compile-cache')
    import('../build/cli/index.js')
  }
} else {
  process.stderr.write(
    `openapi-pages requires Node.js 22.19 or a later 22.x release, or Node.js 24 or later. This is Node.js ${process.versions.node}.\n`,
  )
  process.exitCode = 2
}

/** Starts the app of this clone, or the one that is installed next to this package. */
function startApp(command) {
  const { pathToFileURL } = process.getBuiltinModule('node:url')
  for (const path of ['./serve.js', 'openapi-pages-app/bin/serve.js']) {
    try {
      import(pathToFileURL(require.resolve(path)).href)
      return
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  process.stderr.write(`openapi-pages: \`${command}\` is a command of the app. Run \`openapi-pages-app ${command}\`\n`)
  process.exitCode = 2
}
