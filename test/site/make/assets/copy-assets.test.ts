import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { toOwnPath } from '../../../../src/files/boundary.ts'
import { openDiskFiles } from '../../../../src/files/disk-files.ts'
import { hashContent } from '../../../../src/files/output-folder.ts'
import { createAssetCopies } from '../../../../src/site/make/assets/copy-assets.ts'
import { type EarlierBuild, emptyMemory } from '../../../../src/site/make/render-memory.ts'
import { defaultLimits } from '../../../../src/text/plain/limits.ts'
import { emptyClient, writeClientFile } from '../../../../src/traffic/client-file.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const svg = (width: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="10"><path d="M0 0h1"/></svg>`

/** Copies files, and counts how often each was read. */
function openCopies(
  folder: string,
  { limit = 1_000_000, earlier = emptyMemory.assets, images = [] as string[], hasStates = true } = {},
) {
  const disk = openDiskFiles(toOwnPath(folder))
  const reads: string[] = []
  const emitted = new Map<string, string | Uint8Array>()
  const { stateOf, ...others } = disk
  const files = {
    ...others,
    ...(hasStates && stateOf && { stateOf }),
    read: (path: string, limitBytes?: number) => {
      reads.push(path)
      return disk.read(path, limitBytes)
    },
  }
  const build: EarlierBuild = { stamp: 'x', memory: { ...emptyMemory, assets: earlier }, keep: () => true, read: () => undefined }
  const limits = { ...defaultLimits, values: { ...defaultLimits.values, 'assets-size': limit } }
  const emit = ({ path, content }: { readonly path: string; readonly content: string | Uint8Array }) => {
    emitted.set(path, content)
    return hashContent(content)
  }
  return {
    ...createAssetCopies({ root: '', files, limits, images: new Set(images), isTraffic: () => false, emit }, build),
    reads,
    emitted,
  }
}

test('reads each file once, whether its size is needed or not', async () => {
  const folder = makeTemporaryFolder({ 'images/a.svg': svg(20), 'b.svg': svg(30), 'c.txt': 'text' })
  const copies = openCopies(folder, { images: ['images/a.svg', 'b.svg'] })
  await copies.copy(['images/a.svg'])
  expect([await copies.sizeOf('images/a.svg'), await copies.sizeOf('b.svg')]).toEqual([
    { width: 20, height: 10 },
    { width: 30, height: 10 },
  ])
  await copies.copy(['b.svg', 'c.txt', 'images/a.svg'])
  expect(copies.reads.sort()).toEqual(['b.svg', 'c.txt', 'images/a.svg'])
  expect([...copies.emitted.keys()].sort()).toEqual(['b.svg', 'c.txt', 'images/a.svg'])
})

test('does not read files that are unchanged since an earlier build', async () => {
  const folder = makeTemporaryFolder({ 'a.svg': svg(20), 'b.svg': svg(30) })
  await setTimeout(50) // A file that was just written has no stamp.
  const first = openCopies(folder, { images: ['a.svg'] })
  await first.copy(['a.svg', 'b.svg'])
  const same = openCopies(folder, { images: ['a.svg'], earlier: first.remembered() })
  await same.copy(['a.svg', 'b.svg'])
  expect(same.reads).toEqual([])
  expect(await same.sizeOf('a.svg')).toEqual({ width: 20, height: 10 })
  expect(same.remembered()).toEqual(first.remembered())
  writeFileSync(join(folder, 'a.svg'), svg(40))
  const changed = openCopies(folder, { images: ['a.svg', 'b.svg'], earlier: first.remembered() })
  await changed.copy(['a.svg', 'b.svg'])
  expect(changed.reads).toEqual(['a.svg', 'b.svg'])
  expect([await changed.sizeOf('a.svg'), await changed.sizeOf('b.svg')].map((size) => size?.width)).toEqual([40, 30])
})

test.each([true, false])('refuses a site over the limit, and names its largest files with their pages', async (hasStates) => {
  const sizes = { 'a.mp4': 600, 'b.mp4': 500, 'c.mp4': 2_000, 'd.txt': 1 }
  const folder = makeTemporaryFolder(Object.fromEntries(Object.entries(sizes).map(([path, size]) => [path, 'x'.repeat(size)])))
  const copies = openCopies(folder, { limit: 1_024, hasStates })
  await copies.copy(Object.keys(sizes))
  expect([...copies.emitted.keys()]).toEqual(hasStates ? [] : ['a.mp4'])
  expect(copies.isTooLarge()).toBe(true)
  expect(copies.findings((path) => (path === 'a.mp4' ? ['guide.mdx', 'index.mdx'] : []))).toMatchObject([
    {
      code: 'asset-refused',
      severity: 'error',
      file: 'c.mp4',
      message:
        'Cannot publish the site: its files have more than 1 KiB together. The largest are `c.mp4` (2 kB), ' +
        '`a.mp4` (1 kB, on `guide.mdx` and 1 other page), `b.mp4` (1 kB), `d.txt` (1 kB)',
      hint: expect.stringContaining('`limits.assets-size` in the configuration file (at most 10240 MiB)'),
    },
  ])
})

test('reports Git LFS pointers instead of publishing them as files', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`
  const copies = openCopies(makeTemporaryFolder({ 'a.png': pointer, 'b.pdf': pointer, 'c.txt': `Not a ${pointer}` }))
  await copies.copy(['a.png', 'b.pdf', 'c.txt'])
  expect([...copies.emitted.keys()]).toEqual(['c.txt'])
  expect(
    copies.findings((path) => (path === 'a.png' ? ['index.mdx'] : [])).map(({ severity, message }) => [severity, message]),
  ).toEqual([
    ['error', 'Cannot publish `a.png`: it is a Git LFS pointer to the file'],
    [undefined, 'Cannot publish `b.pdf`: it is a Git LFS pointer to the file'],
  ])
})

test('never publishes clients files and recordings, even if a page links to them', async () => {
  const files = {
    'web.yaml': writeClientFile(emptyClient('web')),
    'vcr.yml': '---\nhttp_interactions:\n- request: {}\n',
    'vcrpy.yaml': 'interactions:\n- request: {}\n',
    'vcr.json': '{ "http_interactions": [] }',
  }
  const copies = openCopies(makeTemporaryFolder({ ...files, 'other.yaml': 'client: web\n' }))
  await copies.copy([...Object.keys(files), 'other.yaml'])
  expect([...copies.emitted.keys()]).toEqual(['other.yaml'])
  expect(copies.findings(() => []).map(({ message }) => message)).toEqual(
    Object.keys(files)
      .sort()
      .map((path) => `Cannot publish \`${path}\`: it is recorded traffic`),
  )
})

test('reports links that leave the repository, also if their target is unchanged', async () => {
  const outside = makeTemporaryFolder({ 'secret.png': 'secret' })
  const folder = makeTemporaryFolder({ 'a.txt': 'x' })
  const { symlinkSync } = process.getBuiltinModule('node:fs')
  symlinkSync(join(outside, 'secret.png'), join(folder, 'out.png'))
  const copies = openCopies(folder)
  await copies.copy(['out.png'])
  expect(copies.emitted.size).toBe(0)
  expect(copies.findings(() => [])).toMatchObject([{ message: expect.stringContaining('outside the repository') }])
})
