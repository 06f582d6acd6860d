import { describe, expect, test } from 'vitest'
import { formatLockFile } from '../../src/docs/format-lock-file.ts'
import { parseLockFile } from '../../src/docs/parse-lock-file.ts'
import type { LockFile } from '../../src/docs/types.ts'

const page = {
  division: '/navigation/tabs/A',
  document: 'a.yaml',
  operation: 'GET /a',
  operationId: 'a',
  hash: '0123456789abcdef',
}
const lock: LockFile = {
  divisions: [
    { id: '/navigation/tabs/B', sources: [{ source: 'b.yaml', directory: '', pending: true }] },
    { id: '/navigation/tabs/A', sources: [{ source: 'a.yaml', directory: 'ref', pending: false }] },
  ],
  pages: [
    { ...page, path: 'ref/z.mdx', operationId: undefined, hash: undefined },
    { ...page, path: 'ref/a.mdx' },
  ],
}

test('one page a line, sorted; no top-level `openapi`', () => {
  expect(formatLockFile(lock)).toBe(`{
  "version": 1,
  "divisions": {
    "/navigation/tabs/A": [{"source":"a.yaml","directory":"ref"}],
    "/navigation/tabs/B": [{"source":"b.yaml","directory":"","pending":true}]
  },
  "pages": {
    "ref/a.mdx": {"division":"/navigation/tabs/A","document":"a.yaml","operation":"GET /a","operationId":"a","hash":"0123456789abcdef"},
    "ref/z.mdx": {"division":"/navigation/tabs/A","document":"a.yaml","operation":"GET /a"}
  }
}
`)
})

test('what is written is read back', async () => {
  const { lock: read, findings } = await parseLockFile({ path: 'openapi-pages.lock.json', text: formatLockFile(lock) })
  expect(findings).toEqual([])
  expect(read).toEqual({ divisions: lock.divisions.toReversed(), pages: lock.pages.toReversed() })
  expect(formatLockFile({ divisions: [], pages: [], unwritten: [] })).toBe('{\n  "version": 1,\n  "divisions": {},\n  "pages": {}\n}\n')
})

describe('a lock file that cannot be used gives none, and one finding', () => {
  test.each([
    ['', ''],
    ['[]', ''],
    ['<<<<<<< HEAD', ''],
    ['{"divisions": {}, "pages": {}}', '/version'],
    ['{"version": 2, "divisions": {}, "pages": {}}', '/version'],
    ['{"version": 1, "pages": {}}', ''],
    ['{"version": 1, "divisions": {}}', ''],
    ['{"version": 1, "divisions": {"/a": {}}, "pages": {}}', '/divisions/~1a'],
    ['{"version": 1, "divisions": {"/a": [{"source": "a", "directory": "../x"}]}, "pages": {}}', '/divisions/~1a'],
    ['{"version": 1, "divisions": {}, "pages": {"a.mdx": 1}}', '/pages/a.mdx'],
    [
      '{"version": 1, "divisions": {}, "pages": {"../a.mdx": {"division": "", "document": "", "operation": ""}}}',
      '/pages/..~1a.mdx',
    ],
    ['{"version": 1, "divisions": {}, "pages": {"/a.mdx": {"division": "", "document": "", "operation": ""}}}', '/pages/~1a.mdx'],
    ['{"version": 1, "divisions": {}, "pages": {"a.ts": {"division": "", "document": "", "operation": ""}}}', '/pages/a.ts'],
  ])('%s', async (text, pointer) => {
    const { lock: read, findings } = await parseLockFile({ path: 'openapi-pages.lock.json', text })
    expect(read).toBeUndefined()
    expect(findings).toMatchObject([{ code: 'lock-file', pointer }])
  })
})
