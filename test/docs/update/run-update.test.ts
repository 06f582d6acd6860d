import { describe, expect, test } from 'vitest'
import { lockFileName } from '../../../src/docs/config/config-files.ts'
import type { DocsAccess } from '../../../src/docs/types.ts'
import { runUpdate } from '../../../src/docs/update/run-update.ts'
import { applyToTree, settle, type Tree, toAccess, updateTree } from '../../support/memory-tree.ts'

const fine = '{"200": {description: Fine}}'
const toDocument = (...paths: string[]) =>
  `openapi: 3.0.3\ninfo: {title: T, version: "1"}\npaths:\n${paths.map((path) => `  ${path}: {get: {summary: ${path.slice(1)}, responses: ${fine}}}\n`).join('')}`
const toDocs = (openapi: unknown) => `${JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi }] } }, undefined, 2)}\n`
const small: Tree = { 'docs.json': toDocs('api.yaml'), 'api.yaml': toDocument('/a') }

describe('a docs directory below the boundary', () => {
  const tree: Tree = {
    'docs/docs.json': toDocs('../openapi/api.yaml'),
    'openapi/api.yaml': toDocument('/a'),
    'other/x.mdx': '---\nopenapi: GET /nowhere\n---\n',
  }

  test('writes pages and lock file into it, and keeps the document in place', async () => {
    const { tree: after, update } = await settle(tree, { root: 'docs' })
    expect(update.changes.map(({ path }) => path)).toEqual(['docs/api-reference/a.mdx', 'docs/docs.json', `docs/${lockFileName}`])
    expect(after['docs/api-reference/a.mdx']).toBe('---\ntitle: a\nopenapi: ../openapi/api.yaml GET /a\n---\n')
    expect(update.pages).toEqual([
      { kind: 'added', path: 'api-reference/a.mdx', document: 'openapi/api.yaml', operation: 'GET /a', detail: undefined },
    ])
    expect(update.documents).toMatchObject([{ path: 'openapi/api.yaml', valid: true, operationCount: 1 }])
    expect(update.diagnostics).toEqual([])
    expect((await updateTree(after, { root: 'docs' })).changes).toEqual([])
  })

  test('reports a document outside the boundary where it is named', async () => {
    const { changes, diagnostics } = await updateTree({ 'docs.json': toDocs('../api.yaml') })
    expect(changes).toEqual([])
    expect(diagnostics).toMatchObject([
      { code: 'file-outside-boundary', file: 'docs.json', pointer: '/navigation/tabs/0/openapi' },
    ])
  })
})

test('reports a missing document where it is named, with the nearest name', async () => {
  const { changes, diagnostics } = await updateTree({
    'docs.json': toDocs('openapi.yaml'),
    'spec/openapi.yaml': toDocument('/a'),
  })
  expect(changes).toEqual([])
  expect(diagnostics).toMatchObject([
    {
      code: 'file-missing',
      file: 'docs.json',
      range: { start: { line: 6, column: 20 } },
      message: 'Cannot read `openapi.yaml`: no such file',
      hint: 'Did you mean `spec/openapi.yaml`?',
    },
  ])
})

test('keeps the pages of a deleted document and reports it in the lock file', async () => {
  const { tree } = await settle(small)
  const { changes, diagnostics } = await updateTree(
    Object.fromEntries(Object.entries(tree).filter(([path]) => path !== 'api.yaml')),
  )
  expect(changes).toEqual([])
  // `api.openapi` names the document too.
  expect(diagnostics).toMatchObject([{ code: 'file-missing', file: 'docs.json', pointer: '/api/openapi' }])
})

test('fetches a document by URL once and binds pages to the URL', async () => {
  const url = 'https://example.com/api.yaml'
  const asked: string[] = []
  const access = {
    ...toAccess({ 'docs.json': toDocs(url), 'x.mdx': '---\nopenapi: https://other.example/x.yaml GET /a\n---\n' }),
    fetchDocument: async (address: string) => {
      asked.push(address)
      return { kind: 'loaded' as const, bytes: new TextEncoder().encode(toDocument('/a')) }
    },
  }
  const update = await runUpdate({ root: '', documents: [], directory: 'api-reference' }, access)
  expect(asked).toEqual([url])
  expect(update.changes.find(({ path }) => path === 'api-reference/a.mdx')).toMatchObject({
    content: `---\ntitle: a\nopenapi: ${url} GET /a\n---\n`,
  })
  expect(update.diagnostics).toMatchObject([{ code: 'binding-unresolved', severity: 'warning', file: 'x.mdx' }])
})

test('reports pages and lock files ignored by Git', async () => {
  const isIgnored = (path: string) => path.startsWith('api-reference/') || path === lockFileName
  const ask = async (paths: readonly string[]) => ({ kind: 'known', value: paths.filter(isIgnored) }) as const
  const { diagnostics } = await runUpdate(
    { root: '', documents: [], directory: 'api-reference' },
    { ...toAccess(small), git: { findIgnored: ask } },
  )
  expect(diagnostics).toMatchObject([
    { code: 'page-ignored', file: 'docs.json', pointer: '/navigation/tabs/0' },
    { code: 'page-ignored', file: lockFileName },
  ])
})

describe('line endings and byte order marks', () => {
  test('pages and lock files with CRLF are up to date', async () => {
    const { tree } = await settle(small)
    const crlf = Object.fromEntries(Object.entries(tree).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]))
    const update = await updateTree(crlf)
    expect(update.changes).toEqual([])
    expect(update.pages.map(({ kind }) => kind)).toEqual(['unchanged'])
  })

  test('ignores byte order marks', async () => {
    const { tree } = await settle(small)
    expect((await updateTree({ ...tree, 'api-reference/a.mdx': `\uFEFF${tree['api-reference/a.mdx']}` })).changes).toEqual([])
  })
})

describe('hand edits', () => {
  test('keeps moved entries, renamed groups and hidden pages', async () => {
    const { tree } = await settle({ ...small, 'api.yaml': toDocument('/a', '/b', '/c') })
    const docs = (pages: string[]) =>
      JSON.stringify({ navigation: { tabs: [{ tab: 'API', groups: [{ group: 'Mine', pages }] }] }, api: { openapi: 'api.yaml' } })
    const edited = { ...tree, 'docs.json': docs(['api-reference/c', 'index', 'api-reference/a']) }
    expect((await updateTree(edited)).changes).toEqual([])
    const { tree: after } = await settle({ ...edited, 'api.yaml': toDocument('/a', '/b', '/c', '/d') })
    expect(after['docs.json']).toBe(docs(['api-reference/c', 'api-reference/d', 'index', 'api-reference/a']))
  })

  test('never overwrites binary or edited pages', async () => {
    const { tree } = await settle(small)
    const edited: Tree = {
      ...tree,
      'api-reference/a.mdx': '\u0000',
      'api.yaml': toDocument('/a').replace('summary: a', 'summary: b'),
    }
    const update = await updateTree(edited)
    expect(update.changes.map(({ path }) => path)).toEqual([lockFileName])
    expect(update.pages).toMatchObject([{ kind: 'kept', detail: 'hand-edited, kept' }])
  })

  test('treats a page as generated again if an edit matches the generated text', async () => {
    const { tree } = await settle(small)
    const renamed = toDocument('/a').replace('summary: a', 'summary: b')
    const page = (tree['api-reference/a.mdx'] ?? '').replace('title: a', 'title: b')
    const { tree: after, update } = await settle({ ...tree, 'api.yaml': renamed, 'api-reference/a.mdx': page })
    expect(update.changes.map(({ path }) => path)).toEqual([lockFileName])
    const again = await updateTree({ ...after, 'api.yaml': toDocument('/a') })
    expect(again.pages).toMatchObject([{ kind: 'modified', detail: 'title changed' }])
  })

  test('keeps a deleted page deleted until its line is removed from the lock file', async () => {
    const { tree } = await settle({ ...small, 'api.yaml': toDocument('/a', '/b') })
    const { 'api-reference/a.mdx': _, ...without } = tree
    const { tree: after, update } = await settle(without)
    expect(update.pages[0]).toMatchObject({ kind: 'removed', detail: 'deleted manually, not restored' })
    expect(update.navigation).toEqual({ added: 0, removed: 1 })
    expect((await updateTree(after)).changes).toEqual([])
    const lock = (after[lockFileName] ?? '').replace(/ {4}"api-reference\/a.mdx".*\n/, '')
    const { tree: back } = await settle({ ...after, [lockFileName]: lock })
    expect(back['api-reference/a.mdx']).toBe(tree['api-reference/a.mdx'])
    expect(back['docs.json']).toBe(tree['docs.json'])
  })

  test('does not take a hand-written page for a deleted page of the same operation', async () => {
    const { tree } = await settle({ ...small, 'api.yaml': toDocument('/a', '/b') })
    const { 'api-reference/a.mdx': _, 'docs.json': docsJson = '', ...without } = tree
    const withMine = docsJson.replace('"tabs": [', '"tabs": [{ "tab": "Guides", "pages": ["mine"] },')
    const mine = '---\ntitle: Mine\nopenapi: api.yaml GET /a\n---\n'
    const { update } = await settle({ ...without, 'docs.json': withMine, 'mine.mdx': mine })
    expect(update.pages[0]).toMatchObject({ path: 'api-reference/a.mdx', detail: 'deleted manually, not restored' })
    expect(update.pages.filter(({ movedFrom }) => movedFrom)).toEqual([])
  })
})

test('finds pages in hidden directories again', async () => {
  const { tree } = await settle({ ...small, 'docs.json': toDocs({ source: 'api.yaml', directory: '.reference' }) })
  expect(Object.keys(tree)).toContain('.reference/a.mdx')
  expect((await updateTree(tree)).changes).toEqual([])
})

test('rebuilds a lost lock file from generated pages, even with name collisions', async () => {
  const docsJson = JSON.stringify({ navigation: { tabs: ['A', 'B'].map((tab) => ({ tab, openapi: 'api.yaml' })) } }, undefined, 2)
  const { tree } = await settle({ 'docs.json': docsJson, 'api.yaml': toDocument('/a') })
  expect(Object.keys(tree).filter((path) => path.startsWith('api-reference/'))).toHaveLength(2)
  const { [lockFileName]: lock, ...lost } = tree
  const { tree: after } = await settle({ ...lost, 'docs.json': docsJson })
  expect(after).toEqual(tree)
  expect(lock).toBeDefined()
})

test('rebuilds a lost lock file if the entries are still listed', async () => {
  const { tree } = await settle({ ...small, 'api.yaml': toDocument('/a', '/b') })
  const keyPutBack = (tree['docs.json'] ?? '').replace('"tab": "API",', '"tab": "API",\n        "openapi": "api.yaml",')
  const edited = `${tree['api-reference/b.mdx']}\nMine.\n`
  const all: Tree = { ...tree, 'docs.json': keyPutBack, 'api-reference/b.mdx': edited }
  const { [lockFileName]: lock, ...lost } = all
  const { tree: after, update } = await settle(lost)
  const again = lock?.replace(/,\n.*b\.mdx.*/, '')
  expect(after).toEqual({ ...tree, 'api-reference/b.mdx': edited, [lockFileName]: again })
  expect(update.materialized).toMatchObject([{ label: 'API', pageCount: 1 }])
})

test('announces only divisions with pages', async () => {
  const { update } = await settle({ ...small, 'docs.json': toDocs(['bad.yaml', 'api.yaml']), 'bad.yaml': 'openapi: 3.0.3\n' })
  expect(update.materialized).toMatchObject([{ source: 'api.yaml', pageCount: 1 }])
})

test('reports deeply nested metadata and omits it from the page', async () => {
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`
  const operation = `{"summary": "a", "x-mint": {"metadata": {"deep": ${deep}}}, "responses": {"200": {"description": "Fine"}}}`
  const document = `{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"get": ${operation}}}}`
  const { tree, update } = await settle({ 'docs.json': toDocs('api.json'), 'api.json': document })
  expect(tree['api-reference/a.mdx']).toBe('---\ntitle: a\nopenapi: api.json GET /a\n---\n')
  expect(update.diagnostics).toMatchObject([{ code: 'too-complex', severity: 'warning', file: 'api.json' }])
})

test('reports values that are nested deeper than the limit, and writes no pages', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const document = `{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"get": {"x-deep": ${deep}, "responses": {"200": {"description": "Fine"}}}}}}`
  const { tree, update } = await settle({ 'docs.json': toDocs('api.json'), 'api.json': document })
  expect(Object.keys(tree).filter((path) => path.endsWith('.mdx'))).toEqual([])
  expect(update.diagnostics).toMatchObject([{ code: 'too-complex', severity: 'error', file: 'api.json' }])
})

describe('overlays', () => {
  const overlay = (actions: string, more = '') => `overlay: 1.0.0\ninfo: {title: O, version: "1"}\n${more}actions:\n${actions}`
  const summary = '  - target: $.paths[*].get\n    update: {summary: Renamed}\n'
  const toTabs = (...openapi: unknown[]) => ({
    'docs.json': JSON.stringify({ navigation: { tabs: openapi.map((one, index) => ({ tab: `T${index}`, openapi: one })) } }),
  })

  test('apply to the pages, and move to `api.openapi` with the key', async () => {
    const openapi = { source: 'api.yaml', overlays: ['o/x.yaml'] }
    const { tree, update } = await settle({ ...small, ...toTabs(openapi), 'o/x.yaml': overlay(summary) })
    expect(tree['api-reference/renamed.mdx']).toContain('title: Renamed\nopenapi: api.yaml GET /a\n')
    expect(JSON.parse(tree['docs.json'] ?? '').api).toEqual({ openapi })
    expect([update.diagnostics, update.documentFiles.map(({ path }) => path)]).toEqual([[], ['api.yaml', 'o/x.yaml']])
    expect((await updateTree(tree)).changes).toEqual([])
  })

  test('that name the document in `extends` apply in the order of their names', async () => {
    const { tree } = await settle({
      ...small,
      ...toTabs('api.yaml'),
      'o/b.yaml': overlay(summary.replace('Renamed', 'Last'), 'extends: ../api.yaml\n'),
      'o/a.yaml': overlay(summary, 'extends: ../api.yaml\n'),
      'other.yaml': overlay(summary.replace('Renamed', 'Other'), 'extends: ./other-api.yaml\n'),
    })
    expect(Object.keys(tree).filter((path) => path.endsWith('.mdx'))).toEqual(['api-reference/last.mdx'])
  })

  test('are off with an empty list', async () => {
    const files = { 'x.yaml': overlay(summary, 'extends: api.yaml\n') }
    const { tree } = await settle({ ...small, ...toTabs({ source: 'api.yaml', overlays: [] }), ...files })
    expect(Object.keys(tree).filter((path) => path.endsWith('.mdx'))).toEqual(['api-reference/a.mdx'])
    expect((await updateTree(tree)).changes).toEqual([])
  })

  describe('at URLs', () => {
    const url = 'https://example.com/overlay.yaml'
    const toRemote = (files: Tree, remote: Tree): DocsAccess => ({
      ...toAccess(files),
      fetchDocument: async (asked) => {
        const text = remote[asked]
        if (text === undefined) return { kind: 'failed', code: 'url-unreachable', reason: '404 Not Found', hint: 'Check the URL' }
        return { kind: 'loaded', bytes: new TextEncoder().encode(text) }
      },
    })
    const update = async (files: Tree, remote: Tree) => {
      const { changes, diagnostics } = await runUpdate(
        { root: '', documents: [], directory: 'api-reference' },
        toRemote(files, remote),
      )
      return {
        pages: changes.map(({ path }) => path).filter((path) => path.endsWith('.mdx')),
        problems: diagnostics.map(({ code, file, pointer, message }) => [`${code} ${file} ${pointer}`, message]),
      }
    }

    test('apply before those after them in the list', async () => {
      const files = { ...small, 'x.yaml': overlay(summary.replace('Renamed', 'Last')) }
      const { pages, problems } = await update(
        { ...files, ...toTabs({ source: 'api.yaml', overlays: [url, 'x.yaml'] }) },
        { [url]: overlay(summary) },
      )
      expect([pages, problems]).toEqual([['api-reference/last.mdx'], []])
    })

    test('apply to a document at a URL that they name in `extends` or that names them', async () => {
      const document = 'https://example.com/openapi.yaml'
      const local = { 'x.yaml': overlay(summary, `extends: ${document}\n`) }
      const byExtends = await update({ ...local, ...toTabs(document) }, { [document]: toDocument('/a') })
      expect(byExtends).toEqual({ pages: ['api-reference/renamed.mdx'], problems: [] })
      const named = toTabs({ source: document, overlays: [url] })
      const byName = await update(named, { [document]: toDocument('/a'), [url]: overlay(summary) })
      expect(byName).toEqual({ pages: ['api-reference/renamed.mdx'], problems: [] })
    })

    test('are reported in `docs.json` if they cannot be read, and in their own file if they have errors', async () => {
      const files = { ...small, ...toTabs({ source: 'api.yaml', overlays: [url] }) }
      expect(await update(files, {})).toEqual({
        pages: [],
        problems: [
          [
            'url-unreachable docs.json /navigation/tabs/0/openapi/overlays/0',
            `Cannot read the overlay \`${url}\`: 404 Not Found`,
          ],
        ],
      })
      const misspelled = overlay(summary.replace('summary', 'sumary'))
      expect((await update(files, { [url]: misspelled })).problems).toEqual([
        [`unknown-field ${url} /actions/0/update/sumary`, expect.any(String)],
      ])
    })

    test('are not fetched for a `$ref` of a document without them', async () => {
      const files = { 'api.yaml': `${toDocument('/a')}  /b: {$ref: "${url}"}\n`, ...toTabs('api.yaml') }
      expect((await update(files, { [url]: overlay(summary) })).problems).toEqual([
        ['remote-reference api.yaml /paths/~1b/$ref', expect.any(String)],
      ])
    })
  })

  test.each([
    [toTabs({ source: 'api.yaml', overlays: ['gone.yaml'] }), 'file-missing docs.json /navigation/tabs/0/openapi/overlays/0'],
    [toTabs({ source: 'api.yaml', overlays: 'x.yaml' }), 'wrong-type docs.json /navigation/tabs/0/openapi/overlays'],
    [toTabs({ source: 'api.yaml', overlays: [1] }), 'wrong-type docs.json /navigation/tabs/0/openapi/overlays/0'],
    [
      toTabs('api.yaml', { source: 'api.yaml', overlays: [] }, { source: 'api.yaml', overlays: ['x.yaml'] }),
      'overlay-lists docs.json /navigation/tabs/2/openapi/overlays',
    ],
    [
      {
        ...toTabs({ source: 'api.yaml', overlays: ['x.yaml'] }),
        'x.yaml': overlay('  - target: $.paths[*].get\n    update: {sumary: x}\n'),
      },
      'unknown-field x.yaml /actions/0/update/sumary',
    ],
  ])('report problems at their location: %#', async (files, expected) => {
    const { diagnostics } = await updateTree({ ...small, ...files })
    expect(diagnostics.map(({ code, file, pointer }) => `${code} ${file} ${pointer}`)).toEqual([expected])
  })
})

test('suggests the new path of a moved document', async () => {
  const { tree } = await settle(small)
  const { 'api.yaml': document = '', ...without } = tree
  const docsJson = (tree['docs.json'] ?? '').replace('"api.yaml"', '"specs/api.yaml"')
  const { diagnostics } = await updateTree({ ...without, 'docs.json': docsJson, 'specs/api.yaml': document })
  expect(diagnostics).toMatchObject([
    {
      file: lockFileName,
      hint: 'Did you mean `specs/api.yaml`? Add `openapi` with the new path to the division, or remove the division',
    },
  ])
})

test('materializes a division with only hand-written pages, and adds pages for new operations', async () => {
  const docsJson = JSON.stringify({ navigation: { tabs: [{ tab: 'A', openapi: 'api.yaml', pages: ['mine'] }] } })
  const { tree } = await settle({
    'docs.json': docsJson,
    'api.yaml': toDocument('/a'),
    'mine.mdx': '---\nopenapi: GET /a\n---\n',
  })
  expect(tree['docs.json']).toBe('{"navigation":{"tabs":[{"tab":"A","pages":["mine"]}]},"api":{"openapi":"api.yaml"}}')
  const { update } = await settle({ ...tree, 'api.yaml': toDocument('/a', '/b') })
  expect(update.pages).toMatchObject([{ kind: 'added', path: 'api-reference/b.mdx' }])
})

describe('division settings', () => {
  test('can keep all divisions virtual, and removes unchanged pages of a division made virtual', async () => {
    expect((await updateTree(small, { materialize: false })).changes).toEqual([])
    const { tree } = await settle(small)
    expect((await updateTree(tree, { materialize: false })).changes).toEqual([])
    const { tree: after, update } = await settle({ ...tree, 'docs.json': toDocs('api.yaml') }, { materialize: false })
    expect(update.pages).toMatchObject([{ kind: 'removed', detail: 'the division is now virtual' }])
    expect(after).toEqual(small)
  })
})

test('without `docs.json`, removes the pages of a document no longer named', async () => {
  const options = { documents: ['a.yaml', 'b.yaml'] }
  const { tree } = await settle({ 'a.yaml': toDocument('/a'), 'b.yaml': toDocument('/b') }, options)
  expect((await updateTree(tree)).changes).toEqual([])
  const { update } = await settle(tree, { documents: ['b.yaml'] })
  expect(update.pages).toMatchObject([{ kind: 'removed', path: 'api-reference/a.mdx' }, { kind: 'unchanged' }])
})

test('changes nothing if the lock file is from a newer release', async () => {
  const { tree } = await settle(small)
  const newer = { ...tree, [lockFileName]: '{"version": 3}', 'api.yaml': toDocument('/b'), 'docs.json': toDocs('api.yaml') }
  const { changes, diagnostics } = await updateTree(newer)
  expect(changes).toEqual([])
  expect(diagnostics).toMatchObject([{ code: 'lock-file', severity: 'error' }, { code: 'binding-unresolved' }].toReversed())
})

test('changes nothing in thousands of hand-written pages', async () => {
  const pages = Array.from({ length: 5_000 }, (_, index) => [
    `guides/${index}.mdx`,
    `---\ntitle: ${index}\n---\n\n${'Text. '.repeat(200)}\n`,
  ])
  const { changes } = await updateTree({ ...small, ...Object.fromEntries(pages) })
  expect(changes).toHaveLength(3)
})

test('plans changes based on the current files', async () => {
  const { tree, update } = await settle(small)
  expect(() => applyToTree(tree, update.changes)).toThrow('planned on something else')
})

test('a redirect to a page that the update removes is reported at its destination', async () => {
  const { tree } = await settle({ ...small, 'api.yaml': toDocument('/a', '/b') })
  const redirects = [
    { source: '/old', destination: '/api-reference/b' },
    { source: '/older', destination: 'api-reference/b#request' },
    { source: '/other', destination: '/api-reference/a' },
  ]
  const docs = JSON.stringify({ ...JSON.parse(tree['docs.json'] ?? ''), redirects }, undefined, 2)
  const { diagnostics } = await updateTree({ ...tree, 'docs.json': docs, 'api.yaml': toDocument('/a') })
  expect(diagnostics).toMatchObject([
    { code: 'redirect-unresolved', severity: 'warning', file: 'docs.json', pointer: '/redirects/0/destination' },
    { code: 'redirect-unresolved', pointer: '/redirects/1/destination' },
  ])
  expect(diagnostics[0]?.message).toBe('Redirect from `/old` points to `/api-reference/b`, the removed page of `GET /b`')
})

test('a link to a page that the update removes is reported, unless a redirect covers it', async () => {
  const { tree } = await settle({ ...small, 'api.yaml': toDocument('/a', '/b', '/c') })
  const redirects = [{ source: '/api-reference/c', destination: '/api-reference/a' }]
  const docs = JSON.stringify({ ...JSON.parse(tree['docs.json'] ?? ''), redirects }, undefined, 2)
  const guide = '[a](/api-reference/a) [b](/api-reference/b#request) [c](/api-reference/c) [b](../api-reference/b.mdx)\n'
  const { diagnostics } = await updateTree({
    ...tree,
    'docs.json': docs,
    'api.yaml': toDocument('/a'),
    'guides/x.mdx': guide,
    'other.mdx': '[other](/guides/x)\n',
  })
  const found = diagnostics.filter(({ code }) => code === 'link-to-removed-page')
  expect(found.map(({ file, range, message }) => [file, range.start.column, message])).toEqual([
    ['guides/x.mdx', 27, 'Unexpected link to `/api-reference/b`: the update removes the page of `GET /b`'],
    ['guides/x.mdx', 79, 'Unexpected link to `/api-reference/b`: the update removes the page of `GET /b`'],
  ])
  expect(found[0]).toMatchObject({ severity: 'warning', hint: 'Remove the link, or add a redirect to `docs.json`' })
})

test('an unresolved binding is an error in a site, as in a check, and a warning in an update', async () => {
  const tree = { ...small, 'x.mdx': '---\nopenapi: GET /gone\n---\n' }
  const severityOf = ({ diagnostics }: Awaited<ReturnType<typeof updateTree>>) =>
    diagnostics.find(({ code }) => code === 'binding-unresolved')?.severity
  expect(severityOf(await updateTree(tree))).toBe('warning')
  expect(severityOf(await updateTree(tree, { pagesFor: 'site' }))).toBe('error')
})
