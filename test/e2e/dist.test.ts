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

  test('contains only scripts, the stylesheet of a review and the licenses, with names that a change of the source keeps', () => {
    const names = Object.keys(readBundle(dist)).filter((name) => !/^[\w.-]+\.js$/.test(name))
    expect(names).toEqual(['licenses.txt', 'package.json', 'review.css'])
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

test('a run without writes loads neither Octokit nor the checks of pages, and all files have at most 4 MB', () => {
  const bundle = readBundle(dist)
  const loaded = new Set(['index.js'])
  for (const name of loaded)
    for (const [, , part = ''] of bundle[name]?.matchAll(/(?:\bfrom|(?<![.\w])import)\s*([`"'])\.\/([\w.-]+)\1/g) ?? [])
      loaded.add(part)
  const isLater = (word: string) => {
    const files = Object.keys(bundle).filter((name) => bundle[name]?.includes(word))
    return files.length > 0 && files.every((name) => !loaded.has(name))
  }
  expect([isLater('/gists/{gist_id}'), isLater('mdxJsxFlowTag'), loaded.size > 1]).toEqual([true, true, true])
  expect(Object.values(bundle).reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThan(4_000_000)
})
