#!/usr/bin/env node
// Plain JavaScript that any Node reads: on an old one the database's native part dies with a segmentation fault and no word.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19) || major === 23) {
  console.error(`openapi-pages: serve needs Node 22.19 or later (24 is best), this is ${process.versions.node}.`)
  process.exitCode = 2
} else {
  const { existsSync } = await import('node:fs')
  const { enableCompileCache } = await import('node:module')
  // Keeps compiled code between starts; absent or switched off is no loss.
  enableCompileCache?.()
  // The published package has the JavaScript; a clone that was not built runs the TypeScript as it is.
  const built = new URL('../build/js/app/main.js', import.meta.url)
  const source = new URL('../src/app/main.ts', import.meta.url)
  const { main } = await import((existsSync(source) ? source : built).href)
  process.exitCode = await main(process.argv.slice(2))
}
