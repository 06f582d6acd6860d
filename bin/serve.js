#!/usr/bin/env node
// JavaScript that any Node reads, so that an old version prints what it needs instead of a syntax error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19) || major === 23) {
  console.error(
    `openapi-pages requires Node.js 22.19 or a later 22.x release, or Node.js 24 or later. This is Node.js ${process.versions.node}.`,
  )
  process.exitCode = 2
} else {
  const { existsSync } = await import('node:fs')
  const { resolve } = await import('node:path')
  const { useCompileCache } = (await import('./compile-cache.cjs')).default
  // Not before the app has made the folder: `--help` must not leave one behind.
  const dataDir = resolve(process.env.DATA_DIR || 'data')
  if (existsSync(dataDir)) useCompileCache(dataDir, 'compile-cache')
  // The published package has the bundle; a clone that was not built runs the TypeScript as it is.
  const built = new URL('../build/server/main.js', import.meta.url)
  const source = new URL('../src/app/main.ts', import.meta.url)
  const isClone = existsSync(source)
  if (isClone) await import('../scripts/jsx-loader.ts')
  const { main } = await import((isClone ? source : built).href)
  process.exitCode = await main(process.argv.slice(2))
}
