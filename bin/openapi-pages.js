#!/usr/bin/env node
// Plain JavaScript that any Node reads, so that an old one is told what is needed before it meets what it cannot.
import * as nodeModule from 'node:module'
import { setFlagsFromString } from 'node:v8'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major >= 24 || (major === 22 && minor >= 19)) {
  // The app's commands load a server and a database that no other command needs.
  const isOfApp = ['serve', 'doctor', 'token', 'project', 'backup'].includes(process.argv[2])
  // What renders or serves a whole site runs long enough for all compilers.
  const isLong = isOfApp || ['build', 'preview'].includes(process.argv[2])
  // A run is over before V8's slowest compiler has paid for itself: without it a check takes up to a quarter less CPU time, and the
  // faster ones stay. What is compiled at once can be kept between runs, unlike what is compiled when it is first called. Both have to
  // stand before the cache, which is kept for each set of flags. A server runs long enough for all compilers.
  if (!isLong) setFlagsFromString('--no-opt --no-lazy')
  // Keeps compiled code between runs; absent or switched off is no loss.
  nodeModule.enableCompileCache?.()
  await import(isOfApp ? './serve.js' : '../build/cli/index.js')
} else {
  process.stderr.write(`openapi-pages needs Node 22.19 or later of 22, or 24 and up; this is Node ${process.versions.node}\n`)
  process.exitCode = 2
}
