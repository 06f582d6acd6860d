import { expect, test } from 'vitest'
import { createZip } from '../../src/files/zip.ts'
import { readZip } from '../support/read-zip.ts'

const random = Uint8Array.from({ length: 1_000 }, (_, at) => (at * at * 7919) % 251)
const files: readonly (readonly [string, string | Uint8Array])[] = [
  ['index.html', '<p>Start</p>'.repeat(100)],
  ['images/a.png', random],
  ['empty.txt', ''],
  ['guides/日本語/index.html', 'こんにちは'],
]

function zipOf(list: typeof files): Uint8Array {
  const zip = createZip()
  for (const [path, content] of list) zip.add(path, content)
  return zip.finish()
}

test('contains the files, sorted by path', () => {
  const read = readZip(zipOf(files))
  expect([...read.keys()]).toEqual(['empty.txt', 'guides/日本語/index.html', 'images/a.png', 'index.html'])
  for (const [path, content] of files) expect(read.get(path)).toEqual(Buffer.from(content as string))
})

test('has the same bytes whatever the order of the files', () => {
  expect(zipOf(files.toReversed())).toEqual(zipOf(files))
})

test('compresses files, unless that makes them larger', () => {
  expect(zipOf([['a.txt', 'a'.repeat(100_000)]]).length).toBeLessThan(1_000)
  expect(zipOf([['a.txt', 'a']]).length).toBe(zipOf([['a.txt', '']]).length + 1)
})

test('refuses more files than the format can have', () => {
  const zip = createZip()
  for (let count = 0; count < 65_536; count++) zip.add(`${count}`, '')
  expect(() => zip.finish()).toThrow(RangeError)
})

test('can be empty', () => expect([...readZip(createZip().finish())]).toEqual([]))
