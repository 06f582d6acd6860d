import { expect, test } from 'vitest'
import { openDiskFiles } from '../../src/files/disk-files.ts'
import { createMemoryFiles } from '../support/memory-files.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const contents = {
  'a.yaml': 'a',
  'docs/b.yaml': 'a longer one',
  '.git/config': '',
  'docs/node_modules/x.yaml': '',
  'docs-b.yaml': '',
  'docs/site/.openapi-pages.json': '{}',
  'docs/site/deep/page.md': '',
}

test('behaves like a disk with the same files', async () => {
  const memory = createMemoryFiles(contents)
  const disk = openDiskFiles(makeTemporaryFolder(contents))
  for (const path of ['a.yaml', './a.yaml', 'docs', '', 'nothing', 'docs/b.yaml', '../a.yaml', 'doc']) {
    const [fromMemory, fromDisk] = [await memory.read(path, 5), await disk.read(path, 5)]
    expect([path, fromMemory.kind]).toEqual([path, fromDisk.kind])
  }
  for (const folder of ['', 'docs', 'docs/site', 'nothing']) expect(await memory.list(folder)).toEqual(await disk.list(folder))
})
