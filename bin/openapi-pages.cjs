#!/usr/bin/env node
'use strict'
// CommonJS that any Node reads, so that an old version prints what it needs instead of a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major >= 24 || (major === 22 && minor >= 19)) {
  // The app's commands load a server and a database that no other command needs.
  const isOfApp = ['serve', 'doctor', 'token', 'project', 'backup', 'reconcile'].includes(process.argv[2])
  if (isOfApp) import('./serve.js')
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
