import { describe, expect, test } from 'vitest'
import { formatLockFile, type LockFile, parseLockFile } from '../../../src/docs/pages/lock-file.ts'

const page = {
  division: '/navigation/tabs/A',
  document: 'a.yaml',
  operation: 'GET /a',
  operationId: 'a',
  group: 'As',
  summary: 'List',
  parameters: ['limit'],
  href: '/a',
  hash: '0123456789abcdef',
}
const lock: LockFile = {
  divisions: [
    {
      id: '/navigation/tabs/B',
      sources: [{ source: 'b.yaml', directory: '', order: 'first-use', methodOrder: 'fixed', pending: true }],
    },
    {
      id: '/navigation/tabs/A',
      sources: [{ source: 'a.yaml', directory: 'ref', order: 'tags', methodOrder: 'fixed', pending: false }],
    },
  ],
  pages: [
    { ...page, path: 'ref/z.mdx', operationId: undefined, parameters: undefined, href: undefined, hash: undefined },
    { ...page, path: 'ref/a.mdx' },
  ],
  unwritten: [],
}
const adopted: LockFile = {
  divisions: [
    {
      id: '/navigation/tabs/A',
      sources: [
        { source: 'a b.yaml', directory: 'ref', order: 'tags', methodOrder: 'fixed', pending: false, adopted: 'growing' },
      ],
    },
  ],
  pages: [
    { ...page, path: 'ref/a.md', adopted: { title: 'summary' } },
    { ...page, path: 'ref/b.mdx', operation: 'webhook shipped order', adopted: {}, keep: true },
  ],
  unwritten: [
    { division: '/navigation/tabs/A', document: 'a b.yaml', operation: 'GET /c d' },
    { division: '/navigation/tabs/B', document: 'a b.yaml', operation: 'GET /c d' },
    { division: '/navigation/tabs/A', document: 'a b.yaml', operation: 'webhook e f' },
  ],
}

test('writes one sorted page per line and no top-level `openapi`', () => {
  expect(formatLockFile(lock)).toBe(`{
  "version": 1,
  "divisions": {
    "/navigation/tabs/A": [{"source":"a.yaml","directory":"ref"}],
    "/navigation/tabs/B": [{"source":"b.yaml","directory":"","order":"first-use","pending":true}]
  },
  "pages": {
    "ref/a.mdx": {"division":"/navigation/tabs/A","document":"a.yaml","operation":"GET /a","operationId":"a","group":"As","summary":"List","parameters":["limit"],"href":"/a","hash":"0123456789abcdef"},
    "ref/z.mdx": {"division":"/navigation/tabs/A","document":"a.yaml","operation":"GET /a","group":"As","summary":"List"}
  }
}
`)
})

test('reads back what it wrote', async () => {
  const { lock: read, findings } = await parseLockFile({ path: 'openapi-pages.lock.json', text: formatLockFile(lock) })
  expect(findings).toEqual([])
  expect(read).toEqual({ divisions: lock.divisions.toReversed(), pages: lock.pages.toReversed(), unwritten: [] })
  expect(formatLockFile({ divisions: [], pages: [], unwritten: [] })).toBe(
    '{\n  "version": 1,\n  "divisions": {},\n  "pages": {}\n}\n',
  )
})

test('reads back adopted pages', async () => {
  const text = formatLockFile(adopted)
  expect(text.split('\n').filter((line) => line.includes('GET /c d'))).toHaveLength(1)
  const { lock: read, findings } = await parseLockFile({ path: 'openapi-pages.lock.json', text })
  expect(findings).toEqual([])
  expect(read).toEqual(adopted)
})

describe('reads a lock file after a manual edit', () => {
  const text = formatLockFile(lock)
  test.each([
    ['the last page deleted', text.replace(/ {4}"ref\/z\.mdx".*\n/, ''), ['ref/a.mdx']],
    ['the last page deleted, with CRLF', text.replace(/ {4}"ref\/z\.mdx".*\n/, '').replaceAll('\n', '\r\n'), ['ref/a.mdx']],
    ['the only page deleted', text.replaceAll(/ {4}"ref\/[az]\.mdx".*\n/g, ''), []],
    ['a comma missing', text.replace(/(?<="ref\/a\.mdx".*),\n/, '\n'), ['ref/a.mdx', 'ref/z.mdx']],
  ])('%s', async (_, edited, paths) => {
    expect(edited).not.toBe(text)
    const { lock: read, findings } = await parseLockFile({ path: 'openapi-pages.lock.json', text: edited })
    expect(findings).toEqual([])
    expect(read?.pages.map(({ path }) => path)).toEqual(paths)
    expect(read?.divisions).toHaveLength(2)
  })

  test('reports a newer version', async () => {
    const reading = await parseLockFile({ path: 'openapi-pages.lock.json', text: '{\n  "version": 2,\n}\n' })
    expect(reading).toMatchObject({ lock: undefined, fault: 'newer' })
  })
})

describe('a merge conflict is resolved with the entries of both sides', () => {
  const lines = formatLockFile(lock).split('\n')
  const entry = (path: string) => `    "${path}": {"division":"/navigation/tabs/A","document":"a.yaml","operation":"GET ${path}"}`
  const between = (before: string, ours: readonly string[], theirs: readonly string[], base: readonly string[] = []) => {
    const at = lines.findIndex((line) => line.includes(before))
    const middle = base.length > 0 ? ['||||||| 1234567', ...base] : []
    const conflict = ['<<<<<<< HEAD', ...ours, ...middle, '=======', ...theirs, '>>>>>>> other']
    return [...lines.slice(0, at), ...conflict, ...lines.slice(at)].join('\n')
  }
  test.each([
    ['in the middle of the file', between('ref/z.mdx', [`${entry('ref/m.mdx')},`], [`${entry('ref/n.mdx')},`])],
    ['with the base', between('ref/z.mdx', [`${entry('ref/m.mdx')},`], [`${entry('ref/n.mdx')},`], [`${entry('ref/l.mdx')},`])],
    ['one side only', between('ref/z.mdx', [`${entry('ref/m.mdx')},`, `${entry('ref/n.mdx')},`], [])],
    ['with CRLF', between('ref/z.mdx', [`${entry('ref/m.mdx')},`], [`${entry('ref/n.mdx')},`]).replaceAll('\n', '\r\n')],
  ])('%s', async (_, text) => {
    const { lock: read, findings } = await parseLockFile({ path: 'openapi-pages.lock.json', text })
    expect(read?.pages.map(({ path }) => path)).toEqual(['ref/a.mdx', 'ref/m.mdx', 'ref/n.mdx', 'ref/z.mdx'])
    expect(findings).toMatchObject([{ code: 'lock-file' }])
  })

  test('at the end, where one side has no trailing comma', async () => {
    const text = formatLockFile(lock).replace(
      / {4}"ref\/z\.mdx".*\n/,
      (last) => `<<<<<<< HEAD\n${last}=======\n${last.trimEnd()},\n${entry('ref/zz.mdx')}\n>>>>>>> other\n`,
    )
    const { lock: read } = await parseLockFile({ path: 'openapi-pages.lock.json', text })
    expect(read?.pages.map(({ path }) => path)).toEqual(['ref/a.mdx', 'ref/z.mdx', 'ref/zz.mdx'])
  })

  test('reports a newer version on one side', async () => {
    const text = `<<<<<<< HEAD\n${formatLockFile(lock)}=======\n{"version": 3}\n>>>>>>> other\n`
    expect(await parseLockFile({ path: 'openapi-pages.lock.json', text })).toMatchObject({ lock: undefined, fault: 'newer' })
  })
})

describe('an unusable lock file yields no lock and one diagnostic', () => {
  test.each([
    ['', ''],
    ['[]', ''],
    ['<<<<<<< HEAD', ''],
    ['{"divisions": {}, "pages": {}}', '/version'],
    ['{"version": 3, "divisions": {}, "pages": {}}', '/version'],
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
