import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import { toOwnPath } from '../../../src/files/boundary.ts'
import { openDiskFiles } from '../../../src/files/disk-files.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const info = 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {}\n'
const schemas = (...lines: string[]) => `${info}components:\n  schemas:\n${lines.map((line) => `    ${line}\n`).join('')}`

async function check(root: string, entry: string): Promise<string[]> {
  const { diagnostics } = await runCheck(
    { entries: [entry] },
    {
      files: openDiskFiles(toOwnPath(root)),
      fetchDocument: async () => ({ kind: 'failed', code: 'url-refused', reason: 'no network' }),
    },
  )
  return diagnostics.map(({ file, range, code, related }) => {
    const chain = related.map((place) => `${place.message} ${place.file}:${place.range.start.line}`)
    return [`${file}:${range.start.line} ${code}`, ...chain].join(' < ')
  })
}

describe('reports an error in its file, with the chain of references', () => {
  test('across several files', async () => {
    const root = makeTemporaryFolder({
      'api/openapi.yaml': schemas("Pet: {$ref: '../pets/pet.yaml'}"),
      'pets/pet.yaml': "type: object\nproperties:\n  owner: {$ref: 'people.yaml#/Owner'}\n",
      'pets/people.yaml': 'Other: {type: 5}\nOwner:\n  type: objekt\n',
    })
    expect(await check(root, 'api/openapi.yaml')).toEqual([
      'pets/people.yaml:3 wrong-value < reached from pets/pet.yaml:3 < which is reached from api/openapi.yaml:6',
    ])
  })

  test('for a file that is not YAML', async () => {
    const root = makeTemporaryFolder({ 'openapi.yaml': schemas("Pet: {$ref: 'pet.yaml'}"), 'pet.yaml': 'a: [' })
    expect(await check(root, 'openapi.yaml')).toEqual(['pet.yaml:1 yaml-syntax < reached from openapi.yaml:6'])
  })

  test('in a circle of files', async () => {
    const root = makeTemporaryFolder({
      'openapi.yaml': schemas("Pet: {$ref: 'a.yaml'}"),
      'a.yaml': "properties: {b: {$ref: 'b.yaml'}}\n",
      'b.yaml': "properties: {a: {$ref: 'a.yaml'}}\ntype: objekt\n",
    })
    expect(await check(root, 'openapi.yaml')).toEqual([
      'b.yaml:2 wrong-value < reached from a.yaml:1 < which is reached from openapi.yaml:6',
    ])
  })
})

describe('one file by two paths is one file', () => {
  test('a symbolic link', async () => {
    const root = makeTemporaryFolder({
      'openapi.yaml': schemas("A: {$ref: 'pet.yaml'}", "B: {$ref: 'link.yaml'}"),
      'pet.yaml': 'type: objekt\n',
    })
    symlinkSync('pet.yaml', join(root, 'link.yaml'))
    expect(await check(root, 'openapi.yaml')).toEqual(['pet.yaml:1 wrong-value < reached from openapi.yaml:6'])
  })

  test('a symbolic link to the entry document', async () => {
    const root = makeTemporaryFolder({
      'openapi.yaml': schemas("A: {$ref: 'link.yaml#/components/schemas/B'}", 'B: {type: objekt}'),
    })
    symlinkSync('openapi.yaml', join(root, 'link.yaml'))
    expect(await check(root, 'openapi.yaml')).toEqual(['openapi.yaml:7 wrong-value'])
  })

  test('a `file:` URL', async () => {
    const root = makeTemporaryFolder({ 'pet.yaml': 'type: objekt\n', 'a b/x.yaml': 'type: objekt\n' })
    const [pet, other] = [pathToFileURL(join(root, 'pet.yaml')), pathToFileURL(join(root, 'a b/x.yaml'))]
    writeFileSync(join(root, 'openapi.yaml'), schemas("A: {$ref: 'pet.yaml'}", `B: {$ref: '${pet}'}`, `C: {$ref: '${other}'}`))
    expect(await check(root, 'openapi.yaml')).toEqual([
      'a b/x.yaml:1 wrong-value < reached from openapi.yaml:8',
      'pet.yaml:1 wrong-value < reached from openapi.yaml:6',
    ])
  })
})

test('does not read a `file:` URL outside the boundary', async () => {
  const outside = makeTemporaryFolder({ 'secret.yaml': 'type: object\n' })
  const root = makeTemporaryFolder({ 'openapi.yaml': schemas(`A: {$ref: '${pathToFileURL(join(outside, 'secret.yaml'))}'}`) })
  expect(await check(root, 'openapi.yaml')).toEqual(['openapi.yaml:6 file-outside-boundary'])
})

test('resolves absolute paths from the boundary', async () => {
  const root = makeTemporaryFolder({
    'api/openapi.yaml': schemas("A: {$ref: '/pets/pet.yaml'}"),
    'pets/pet.yaml': 'type: objekt\n',
  })
  expect(await check(root, 'api/openapi.yaml')).toEqual(['pets/pet.yaml:1 wrong-value < reached from api/openapi.yaml:6'])
})

test('reports a referenced document of another OpenAPI version once, and reads it with the version of the entry document', async () => {
  const root = makeTemporaryFolder({
    'openapi.yaml': schemas("A: {$ref: 'old.yaml#/components/schemas/A'}", "B: {$ref: 'old.yaml#/components/schemas/B'}"),
    'old.yaml': schemas('A: {type: objekt}', 'B: {}').replace('3.1.0', '3.0.3'),
  })
  expect(await check(root, 'openapi.yaml')).toEqual([
    'old.yaml:6 wrong-value < reached from openapi.yaml:6',
    'openapi.yaml:6 reference-version < the version of the referenced document old.yaml:1',
  ])
})
