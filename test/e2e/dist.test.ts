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

// Whether it equals a fresh build: `node scripts/check-dist.ts`, and the build of `.ci/run`.
describe('the committed bundle', () => {
  test('contains the licenses of all bundled packages', () => {
    const licenses = readFileSync(join(dist, 'licenses.txt'), 'utf8')
    for (const name of ['@actions/core', 'js-yaml', 'yaml', 'jsonc-parser', 'tinyglobby', 'undici']) {
      expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\n[\\w.-]+\n`, 'm'))
    }
  })

  test('contains only scripts and the licenses, with names that a change of the source keeps', () => {
    const names = Object.keys(readBundle(dist)).filter((name) => !/^(?:\d{1,3}\.)?index\.js$/.test(name))
    expect(names).toEqual(['licenses.txt', 'package.json'])
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
  const bundle = readBundle(dist)
  const withEndpoints = Object.keys(bundle).filter((name) => bundle[name]?.includes('/repos/{owner}/{repo}/'))
  expect(withEndpoints).toEqual([expect.stringMatching(/^\d+\.index\.js$/)])
  // It is not loaded at the start.
  expect(bundle['index.js']).not.toMatch(/\b(?:from|import)\s*[`"']\.\//)
})
