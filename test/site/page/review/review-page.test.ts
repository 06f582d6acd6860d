import { h } from 'preact'
import { expect, test } from 'vitest'
import { compareDocument } from '../../../../src/changes/compare/compare.ts'
import { toChangesJson } from '../../../../src/changes/show/changes-formats.ts'
import { checkDescription } from '../../../../src/checks/check-description.ts'
import { type Element, findPath, type Node, toTree } from '../../../../src/site/page/review/element-tree.tsx'
import { renderReview } from '../../../../src/site/page/review/review-page.tsx'
import { reviewPages, type Subject } from '../../../../src/site/page/review/review-subjects.tsx'
import { fc, propertyRuns } from '../../../support/properties.ts'

async function checkDocument(document: object) {
  const bytes = new TextEncoder().encode(JSON.stringify(document))
  const check = await checkDescription('openapi.json', async () => ({ kind: 'loaded', bytes }), { errorsOnly: true })
  return { path: 'openapi.json', check, findings: check.findings }
}

/** Compares two documents, and renders their review. */
async function review(before: object, after: object) {
  const versions = { base: await checkDocument(before), revision: await checkDocument(after) }
  const compared = await compareDocument(versions, { base: 0, revision: 0 }, { today: '2026-03-01', placesRemoved: false })
  const subjects = (await reviewPages({ ...versions, ...compared })) ?? []
  const words = subjects.map(readMarks)
  const json = compared.comparison && toChangesJson(compared.comparison)
  const others = subjects.filter(({ base, revision }) => !base && !revision).flatMap((subject) => subject.changes)
  return { changes: json?.changes ?? [], subjects, others, words, html: render([{ title: 'Pets', subjects }]) }
}

function render(documents: Parameters<typeof renderReview>[0]): string {
  return renderReview(documents, { accept: 'accept', stylesheet: '' }).get('') ?? ''
}

interface Marks {
  /** The words without a mark, sorted. */
  readonly kept: readonly string[]
  /** The words with a mark, by the ID of the innermost element around them. */
  readonly marked: ReadonlyMap<string, string>
  /** All words, by the same ID. */
  readonly texts: ReadonlyMap<string, string>
  /** Those of the head, which is what stands before the first part. */
  readonly head: string
}

function readMarks({ base, revision }: Subject): { readonly base: Marks; readonly revision: Marks } | undefined {
  return base && revision && { base: marksOf(base), revision: marksOf(revision) }
}

const isPart = (node: Node) =>
  typeof node !== 'string' && (/^(?:section|details)$/.test(node.name) || node.attributes.class === 'op-end')

function marksOf(root: Element): Marks {
  const kept: string[] = []
  const [marked, texts] = [new Map<string, string>(), new Map<string, string>()]
  const visit = (node: Node, id: string, isMarked: boolean): void => {
    if (typeof node !== 'string') {
      const inside = node.name === 'ins' || node.name === 'del'
      for (const child of node.children) visit(child, node.id ?? id, isMarked || inside)
      return
    }
    texts.set(id, `${texts.get(id) ?? ''} ${node.trim()}`)
    if (isMarked) marked.set(id, `${marked.get(id) ?? ''} ${node.trim()}`)
    else kept.push(...node.split(/[^\p{L}\p{N}_]+/u).filter(Boolean))
  }
  for (const node of root.children) visit(node, isPart(node) ? 'part' : 'head', false)
  return { kept: kept.sort(), marked, texts, head: marked.get('head') ?? '' }
}

const toDocument = (operation: object, schemas: object = {}, others: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  paths: { '/pets': { get: operation } },
  components: { schemas },
  ...others,
})

const pet = {
  type: 'object',
  properties: { name: { type: 'string', description: 'The name of the pet' }, age: { type: 'integer' } },
}
const list = {
  summary: 'List pets',
  description: 'Lists all pets of the shop',
  parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
  responses: {
    200: { description: 'Pets', content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
    404: { description: 'Missing' },
  },
}

/** The note about the only change with a code, from the start of its row. */
function noteOf(html: string, code: string): string {
  const at = html.indexOf(`#${code}"`)
  return html.slice(html.lastIndexOf('<li', at), html.indexOf('</aside>', at))
}

test('marks the changed words of a schema, with a note in the row of the change', async () => {
  const after = { ...pet, properties: { ...pet.properties, age: { type: 'string' } } }
  const { html, changes } = await review(toDocument(list, { Pet: pet }), toDocument(list, { Pet: after }))
  const [change] = changes
  const note = noteOf(html, 'type-changed')
  expect(note).toContain('<a>age</a> <i><ins>string</ins></i>')
  expect(note).toContain('<span class="tag level-breaking">breaking</span>')
  expect(note).toContain(`<code>${change?.fingerprint.slice(0, 8)}</code>`)
  expect(note).toContain('Affects: GET /pets')
  expect(note).toContain(`<code>accept ${change?.fingerprint.slice(0, 8)}</code>`)
})

test('lists pages of which only the texts differ, with their changed words', async () => {
  const after = { ...list, description: 'Lists every pet of the shop' }
  const { html, changes } = await review(toDocument(list, { Pet: pet }), toDocument(after, { Pet: pet }))
  expect(changes).toEqual([])
  expect(html).toContain('<p>Lists<del> all pets</del> of the shop</p>')
  expect(html).toContain('<p>Lists<ins> every pet</ins> of the shop</p>')
  expect(html).toMatch(/href="#page-1">1 changed text</)
})

test('lists no page whose texts differ only in their source', async () => {
  const before = { ...list, description: 'Lists all pets\nof the *shop*' }
  const after = { ...list, description: 'Lists all pets of\nthe _shop_' }
  expect((await review(toDocument(before, { Pet: pet }), toDocument(after, { Pet: pet }))).subjects).toEqual([])
})

test('orders pages by their most severe change, and puts changes that no page shows first', async () => {
  const { get, put } = { get: { responses: { 200: { description: 'OK' } } }, put: { responses: { 200: { description: 'OK' } } } }
  const toPaths = (paths: object, url: string) => toDocument(list, { Pet: pet }, { paths, servers: [{ url }] })
  const optional = { ...get, parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }] }
  const required = { ...get, parameters: [{ name: 'page', in: 'query', required: true, schema: { type: 'integer' } }] }
  const before = toPaths({ '/a': { get: optional }, '/b': { get }, '/c': { get } }, 'https://old.example.com')
  const after = toPaths(
    { '/a': { get: optional, put }, '/b': { get: { ...get, summary: 'B' } }, '/c': { get: required } },
    '/new',
  )
  const { others, html } = await review(before, after)
  expect(others.map(({ change }) => change.code)).toContain('server-removed')
  const titles = Array.from(html.matchAll(/<span class="m \w+">(\w+)<\/span> (\/\w+)/g), ([, ...title]) => title.join(' '))
  expect(titles).toEqual(['GET /c', 'GET /b', 'PUT /a'])
  expect(html.indexOf('server-removed')).toBeLessThan(html.indexOf('id="page-2"'))
  // `n` goes from change to change by level, although pages have changes of several levels.
  const levels = Array.from(html.matchAll(/id="change-(\d+)">.*?class="tag level-(\w+)"/g), ([, number, level]) => [
    number,
    level,
  ])
  const byNumber = levels.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, level]) => level)
  expect(byNumber).toEqual(['breaking', 'risky', 'compatible', 'compatible'])
})

test('is one file whose only script moves between changes, and has links for it', async () => {
  const { html } = await review(toDocument(list, { Pet: pet }), toDocument({ ...list, parameters: [] }, {}))
  expect(html).not.toMatch(/<link|<img|url\(|@import|<button|<input|<select/)
  expect(html).toContain('<html lang="en" data-js')
  expect(html).toMatch(/default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[\w+/]+=*'/)
  const ids = Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
})

test('has a file for each tag above 5 MB, and one that links to them', () => {
  const toSubject = (tag: string): Subject => {
    const revision = toTree(h('p', {}, 'x'.repeat(2_000_000)))
    return { name: '/pets', method: 'GET', tag, base: undefined, revision, changes: [] }
  }
  const elsewhere: Subject = {
    name: 'Elsewhere',
    method: undefined,
    tag: undefined,
    base: undefined,
    revision: undefined,
    changes: [],
  }
  const subjects = [...['Pets', 'Orders & bills', 'Other operations'].map(toSubject), elsewhere]
  const documents = [{ title: 'Pets', subjects }]
  const files = renderReview(documents, { accept: '', stylesheet: '', fileName: 'review.html' })
  const [main = '', ...parts] = files.values()
  expect(main.length).toBeLessThan(10_000)
  expect(parts).toHaveLength(3)
  for (const part of parts) expect(part.length).toBeGreaterThan(2_000_000)
  const links = Array.from(main.matchAll(/<li><a href="([^"]+)">([^<]+)</g), ([, ...link]) => link)
  expect(links.map(([name = '']) => decodeURIComponent(name))).toEqual([...files.keys()].slice(1))
  expect(links.map(([, tag]) => tag)).toEqual(['Pets', 'Orders &amp; bills', 'Other operations'])
  expect(main).toContain('larger than 5 MB')
  expect([main, ...parts].map((file) => file.includes('Elsewhere'))).toEqual([true, false, false, false])
  expect(renderReview(documents, { accept: '', stylesheet: '' }).size).toBe(1)
})

test('marks no word of a media type beside a new one', async () => {
  const toResponse = (...names: string[]) => ({
    responses: { 200: { description: 'Pets', content: Object.fromEntries(names.map((name) => [name, { schema: pet }])) } },
  })
  const [json, xml] = ['application/json', 'application/xml']
  const { words: marks } = await review(toDocument(toResponse(json)), toDocument(toResponse(json, xml)))
  expect(marks[0]?.base.kept).toEqual(expect.arrayContaining(['name', 'age', 'integer']))
  expect([...(marks[0]?.base.marked.values() ?? [])].join(' ')).not.toMatch(/name|age|integer/)
})

test('shows nothing for equal documents', async () => {
  const { html, subjects } = await review(toDocument(list, { Pet: pet }), toDocument(list, { Pet: pet }))
  expect(subjects).toEqual([])
  expect(html).toContain('No changes for API clients')
})

const words = ['all', 'pets', 'of', 'the', 'shop', 'old', 'and', 'new']
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((some) => some.join(' '))
const names = fc.constantFrom('alpha', 'beta', 'gamma', 'delta')
const value = fc.record({ type: fc.constantFrom('string', 'integer', 'boolean'), description: text })
const properties = fc.uniqueArray(fc.record({ name: names, schema: value }), {
  selector: ({ name }) => name,
  minLength: 1,
  maxLength: 4,
})
const schema = fc.record({ properties, required: fc.uniqueArray(names, { maxLength: 2 }) }).map((made) => ({
  type: 'object',
  properties: Object.fromEntries(made.properties.map(({ name, schema: one }) => [name, one])),
  required: made.required.filter((name) => made.properties.some((property) => property.name === name)),
}))
const anyDocument = fc
  .record({
    description: text,
    summary: text,
    deprecated: fc.boolean(),
    operationId: fc.constantFrom('create', 'make'),
    security: fc.constantFrom([], [{ key: [] }], [{ token: [] }], [{ key: [] }, { token: [] }]),
    parameters: properties,
    statuses: fc.uniqueArray(fc.constantFrom('200', '201', '404', '4XX', 'default'), { minLength: 1 }),
    shared: fc.constantFrom('string', 'integer'),
    isInline: fc.boolean(),
    mediaTypes: fc.constantFrom(
      ['application/json'],
      ['application/json', 'application/xml'],
      ['application/xml', 'application/json'],
    ),
    maximum: fc.integer({ min: 1, max: 3 }),
    body: schema,
    pet: schema,
    tag: schema,
  })
  .map(
    ({
      description,
      summary,
      deprecated,
      operationId,
      security,
      parameters,
      statuses,
      shared,
      isInline,
      mediaTypes,
      maximum,
      body,
      pet: petSchema,
      tag,
    }) => ({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1.0.0' },
      paths: {
        '/pets': {
          parameters: [{ name: 'shared', in: 'query', schema: { type: shared } }],
          post: {
            description,
            summary,
            deprecated,
            operationId,
            security,
            parameters: [
              ...parameters.map(({ name, schema: one }) => ({
                name,
                in: 'query',
                description: one.description,
                schema: { type: one.type },
              })),
              { $ref: '#/components/parameters/Limit' },
            ],
            requestBody: { content: { 'application/json': { schema: body } } },
            responses: Object.fromEntries(
              statuses.map((status) => [
                status,
                {
                  description,
                  content: Object.fromEntries(
                    mediaTypes.map((name) => [name, { schema: isInline ? petSchema : { $ref: '#/components/schemas/Pet' } }]),
                  ),
                },
              ]),
            ),
          },
        },
      },
      components: {
        securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, token: { type: 'http', scheme: 'bearer' } },
        parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer', maximum } } },
        schemas: {
          Pet: { ...petSchema, properties: { ...petSchema.properties, tag: { $ref: '#/components/schemas/Tag' } } },
          Tag: tag,
        },
      },
    }),
  )

test('marks each change at its place, and no word that both versions have there', async () => {
  const property = fc.asyncProperty(anyDocument, anyDocument, async (before, after) => {
    const { changes, subjects, others, words: marks, html } = await review(before, after)
    const shown = Array.from(html.matchAll(/id="change-\d+">.*?codes\.md#([\w-]+)">.*?<code>(\w+)<\/code>/g), ([, ...note]) =>
      note.join(' '),
    )
    expect(shown.sort()).toEqual(changes.map(({ code, fingerprint }) => `${code} ${fingerprint.slice(0, 8)}`).sort())
    const counts = Array.from(html.matchAll(/<a class="tag level-\w+" href="#[\w-]+">(\d+) [a-z ]+?(s?)<\/a>/g))
    for (const [, count, plural] of counts) expect(plural).toBe(count === '1' ? '' : 's')
    expect(counts).toHaveLength(html.match(/<a class="tag/g)?.length ?? 0)
    const [isSameUse] = [before, after]
      .map((one) => JSON.stringify(one.paths).includes('#/components/schemas/Pet'))
      .map((uses, _, all) => all.every((other) => other === uses))
    // Everything that the generator changes is on a page.
    expect(others).toEqual([])
    for (const { base, revision, changes: own } of subjects) {
      for (const { path, change } of base && revision ? own : []) {
        // What a schema has in place of another one is no row of the operation.
        if (isSameUse) expect(path.length === 0, change.message).toBe(change.code.startsWith('operation-'))
        // Headings have the ID of their section. What was removed has its mark in the base.
        const id = path[0]?.id
        const around = [base, revision].map((root) => (root && id !== undefined ? findPath(root, id) : []))
        const rows = around.flatMap((one) => one.find(({ name }) => !/^(?:h2|summary)$/.test(name)) ?? [])
        if (id !== undefined) expect(JSON.stringify(rows), change.message).toMatch(/"name":"(?:ins|del)"/)
      }
    }
    for (const section of html.split('<section class="part" id="page-').slice(1)) {
      const [head = ''] = section.split('<div class="pair">')
      for (const [note] of section.matchAll(/id="change-\d+">.*?#operation-[\w-]+"/g)) expect(head).toContain(note)
    }
    const [from, to] = [before, after].map(({ paths }) => paths['/pets'].post)
    const [head] = subjects.flatMap(({ method }, index) => (method === undefined ? [] : (marks[index] ?? [])))
    if (from?.deprecated !== to?.deprecated)
      expect(from?.deprecated ? head?.base.head : head?.revision.head).toContain('deprecated')
    for (const [one, other, words] of [
      [from, to, head?.base.head],
      [to, from, head?.revision.head],
    ] as const) {
      const isNew = (word: string) => !other?.summary.split(' ').includes(word) && !other?.description.split(' ').includes(word)
      for (const word of one?.summary.split(' ').filter(isNew) ?? []) expect(words?.split(/\W+/)).toContain(word)
    }
    for (const pair of html.split('<div class="pair">').slice(1)) expect(pair).toMatch(/<(?:ins|del)>/)
    for (const mark of marks) {
      if (!mark) continue
      expect(mark.base.kept).toEqual(mark.revision.kept)
      for (const id of mark.base.marked.keys()) expect(mark.base.texts.get(id)).not.toBe(mark.revision.texts.get(id))
    }
  })
  await fc.assert(property, { numRuns: propertyRuns(200) })
})
