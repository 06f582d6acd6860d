import { expect, test } from 'vitest'
import { findNeededVersion } from '../../../src/changes/show/changes-text.ts'
import { compareDocuments } from '../compare-documents.ts'

const toDocument = (paths: string) => `openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: ${paths}\n`
const operation = "{get: {responses: {'200': {description: A}}}}"

async function findFor(base: string, revision: string, paths: readonly [string, string]): Promise<string | undefined> {
  const changes = await compareDocuments(toDocument(paths[0]), toDocument(paths[1]))
  const toCompared = (version: string) => ({ document: 'openapi.yaml', version })
  const unlocated = changes.map((change) => ({ ...change, base: null, revision: null }))
  return findNeededVersion({ base: toCompared(base), revision: toCompared(revision), changes: unlocated })?.version
}

test.each([
  ['1.2.3', '1.2.3', '2.0.0'],
  ['1.2.3', '1.3.0', '2.0.0'],
  ['1.2', '1.3', '2.0'],
  ['v1.2.3', 'v1.2.4', 'v2.0.0'],
  ['1.2.3+build.5', '1.2.3+build.6', '2.0.0'],
  ['1.2.3', '2.0.0', undefined],
  ['1.2.3', '2.0.0-beta.1', undefined],
  ['0.2.3', '0.2.4', '0.3.0'],
  ['0.2.3', '0.3.0', undefined],
  ['0.2.3', '1.0.0', undefined],
  ['2.0.0-beta.1', '2.0.0-beta.2', undefined],
  ['2.0.0', '1.0.0', undefined],
  ['1.3.0', '1.2.0', undefined],
  ['2026.1.0', '2026.2.0', undefined],
  ['2026-01-01', '2026-02-01', undefined],
  ['1', '1', undefined],
  ['', '', undefined],
])('after a breaking change from %j to %j, the version must be %j', async (base, revision, needed) => {
  expect(await findFor(base, revision, [`{/a: ${operation}}`, '{}'])).toBe(needed)
})

test('a compatible change needs no version', async () => {
  expect(await findFor('1.0.0', '1.0.0', ['{}', `{/a: ${operation}}`])).toBeUndefined()
})
