import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isSoak, seed } from '../support/properties.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeLargest, multiplyingShapes } from './multiplying-shapes.ts'

// No generated document of 100 kB takes a command 10 seconds of CPU time or a gigabyte. The system ends a command that takes twice as much, because
// machines differ.

const bin = join(import.meta.dirname, '../../bin/openapi-pages.cjs')
const settings = { $schema: 'https://mintlify.com/docs.json', theme: 'mint', name: 'T', colors: { primary: '#123456' } }

/** Many pages with one large schema, or with all properties of many schemas. Their size is that of all of them. */
const largeSites = new Set(['allOf next to choices', 'operations with one schema', 'subtypes in a chain'])

const commands = {
  check: ['check', 'openapi.json'],
  bundle: ['bundle', 'openapi.json', '-o', 'bundle.json'],
  changes: ['changes', 'openapi.json', 'revision.json'],
  update: ['update'],
  build: ['build', 'openapi.json', '-o', 'site'],
}

/** Every night others, and all of them in `npm run soak`. */
const shapes = multiplyingShapes.filter((_, index) => isSoak || (index + seed) % 12 === 0)

describe.each(shapes)('$name', (shape) => {
  const [document, revision] = makeLargest(shape, 100_000)
  const run = Object.entries(commands).filter(([command]) => command !== 'build' || !largeSites.has(shape.name))

  test.each(run)('%s ends', (command, args) => {
    const docs = JSON.stringify({ ...settings, navigation: { tabs: [{ tab: 'API', openapi: 'openapi.json' }] } })
    const files = { 'openapi.json': document, 'revision.json': revision, ...(command === 'update' && { 'docs.json': docs }) }
    const limited = ['-c', 'ulimit -t 20; exec "$@"', '-', process.execPath, '--max-old-space-size=1000', bin, ...args]
    const { status, stderr } = spawnSync('bash', limited, { cwd: makeTemporaryFolder(files), encoding: 'utf8' })
    expect(stderr).not.toMatch(/unexpected error|RangeError/i)
    expect([0, 1, 2]).toContain(status)
  })
})
