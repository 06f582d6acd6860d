import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeExampleRemote, projectFolder, runAction } from '../support/action-harness.ts'
import { findNodes } from '../support/find-nodes.ts'

const dist = join(projectFolder, 'dist/action')

function readBundle(folder: string): { [name: string]: string } {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

// Whether it equals a fresh build: `npm run check:dist`, and the build of `.ci/run`.
describe('the committed bundle', () => {
  test('contains the licenses of all bundled packages', () => {
    const licenses = readFileSync(join(dist, 'licenses.txt'), 'utf8')
    for (const name of ['@actions/core', 'js-yaml', 'yaml', 'jsonc-parser', 'tinyglobby', 'undici']) {
      expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\n[\\w.-]+\n`, 'm'))
    }
  })

  test('contains no local paths', () => {
    for (const [name, text] of Object.entries(readBundle(dist)))
      expect([name, text.includes(projectFolder)]).toEqual([name, false])
  })
})

test.each(findNodes())('the bundle runs on %s too', async (node) => {
  const remote = makeExampleRemote('petstore')
  const run = await runAction(remote.checkOut(), { temporaryFolder: remote.folder, wrap: ([, ...args]) => [node, ...args] })
  expect([run.code, run.outputs['committed'], run.stderr]).toEqual([0, 'true', ''])
})

test('the bundle loads Octokit from a separate chunk', () => {
  const withEndpoints = Object.entries(readBundle(dist)).filter(([, text]) => text.includes('/repos/{owner}/{repo}/'))
  expect(withEndpoints.map(([name]) => name)).toEqual([expect.stringMatching(/-[\w-]{8}\.js$/)])
  // No file that is loaded at the start imports it, not even through others.
  const atStart = new Set(['index.js'])
  for (const name of atStart) {
    const imports = readFileSync(join(dist, name), 'utf8').matchAll(/\b(?:from|import)\s*[`"']\.\/([^`"']+)[`"']/g)
    for (const [, imported = ''] of imports) atStart.add(imported)
  }
  expect(atStart.size).toBeGreaterThan(5)
  expect([...atStart]).not.toContain(withEndpoints[0]?.[0])
})
