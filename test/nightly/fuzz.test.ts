import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ComparableDescription } from '../../src/changes/change.ts'
import { compareDescriptions, toComparable } from '../../src/changes/compare/compare.ts'
import { checkDescription } from '../../src/checks/check-description.ts'
import { bundleDescription } from '../../src/openapi/bundle/bundle-description.ts'
import { toWellFormed } from '../../src/text/plain/escape-text.ts'
import { mutatedDocument } from '../openapi/mutated-document.ts'
import { siteOf, siteOfDocument } from '../site/make/site-of.ts'
import { countCalls } from '../support/count-calls.ts'
import { everyHostileText } from '../support/hostile-strings.ts'
import { fc, runsOr, seed } from '../support/properties.ts'
import { randomDocument } from '../support/random-documents.ts'

// Random inputs through everything that reads them. The run prints its seed, `OPENAPI_PAGES_SEED` repeats it, and fast-check reduces what fails.
// What failed once becomes a small file of the corpus.

const corpus = join(import.meta.dirname, '../fixtures/fuzz')
const readCorpus = (names: RegExp) =>
  readdirSync(corpus)
    .filter((name) => names.test(name))
    .map((name) => readFileSync(join(corpus, name), 'utf8'))

const markup = '<script>a</script> <b onclick="a" title="\'>">[a](javascript:a)</b>'
const piece = fc.oneof(
  fc.constant(markup),
  fc.constantFrom(...everyHostileText),
  fc.constantFrom(...'"\'{}[]<>#\n*_`|$&!', '- ', '> ', '*a_ ', '[a](', '<b ', '{1 + ', '</', '\n\n', '---\n', '$ref: '),
  fc.string({ maxLength: 5 }),
)
const edits = fc.array(
  fc.record({ at: fc.nat(), length: fc.nat({ max: 40 }), put: piece, times: fc.constantFrom(0, 1, 1, 2, 60) }),
  {
    minLength: 1,
    maxLength: 4,
  },
)

/** A text with pieces taken out, repeated and put in, as it would come from a file. */
const editText = (texts: readonly string[]) =>
  fc.tuple(fc.constantFrom(...texts), edits).map(([text, all]) => {
    const apply = (before: string, { at, length, put, times }: (typeof all)[number]) => {
      const start = at % before.length
      return before.slice(0, start) + before.slice(start, start + length).repeat(times) + put + before.slice(start + length)
    }
    return toWellFormed(all.reduce(apply, text)).slice(0, 100_000)
  })

/** A document with texts, values and whole parts of it in other places. */
const editValues = fc
  .tuple(
    fc.constantFrom(...readCorpus(/json$/)),
    fc.array(fc.tuple(fc.nat(), fc.nat(), fc.option(piece)), { minLength: 1, maxLength: 6 }),
  )
  .map(([text, changes]) => {
    const document: unknown = JSON.parse(text)
    const places: { readonly owner: Record<string, unknown>; readonly key: string }[] = []
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const key of Object.keys(value)) {
        places.push({ owner: value as Record<string, unknown>, key })
        collect(Reflect.get(value, key))
      }
    }
    collect(document)
    for (const [at, from, put] of changes) {
      // Most places have no text that a page shows, so half of the pieces are put into those that do.
      const isText = put !== null && from % 2 === 0
      const targets = isText ? places.filter(({ key }) => /^(?:description|summary|title)$/.test(key)) : places
      const [to, source] = [targets[at % targets.length], places[from % places.length]]
      if (to) to.owner[to.key] = put ?? JSON.parse(JSON.stringify(source?.owner[source.key] ?? null))
    }
    return JSON.stringify(document)
  })

const documents = fc.oneof(
  randomDocument.map((document) => JSON.stringify(document)),
  mutatedDocument.map(({ document }) => JSON.stringify(document)),
  { weight: 2, arbitrary: editValues },
  editText(readCorpus(/json$/)),
)

const tags = /<([a-z][\w:-]*)((?:\s+[^\s"'>=]+(?:="[^"]*")?)*)\s*\/?>/gi
const ownScripts = /^(?:importmap|application\/(?:ld\+)?json|module)$/

/** Fails if a page has a script that the site did not write, a handler, or a link that runs something. */
function expectSafe(files: Readonly<Record<string, string>>, own: ReadonlySet<string>): void {
  for (const [path, html] of Object.entries(files)) {
    if (!path.endsWith('.html')) continue
    for (const [tag, name = '', attributes = ''] of html.matchAll(tags)) {
      const names = attributes.replace(/"[^"]*"/g, '').toLowerCase()
      expect(names, `${path}: ${tag}`).not.toMatch(/(?:^|\s)(?:on\w+|srcdoc|formaction)=/)
      expect(attributes, `${path}: ${tag}`).not.toMatch(/\s(?:href|src|action|xlink:href)="\s*(?:javascript|vbscript|data:text)/i)
      if (name.toLowerCase() === 'script')
        expect([...own, ...(ownScripts.test(/type="([^"]*)"/.exec(tag)?.[1] ?? '') ? [tag] : [])]).toContain(tag)
    }
    expect(html.match(/<script\b/gi)?.length ?? 0).toBe(
      [...html.matchAll(tags)].filter(([, name]) => /^script$/i.test(name ?? '')).length,
    )
  }
}

/** The tags of the scripts of a site without anything hostile. */
const benign = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: { '/a': { get: { responses: {} } } },
})
const listScripts = (files: Readonly<Record<string, string>>) =>
  new Set(Object.values(files).flatMap((text) => text.match(/<script\b[^>]*>/gi) ?? []))
const ownTags = siteOfDocument('a.json', benign).then(({ files }) => listScripts(files))

/** Checks, bundles and compares a document, and builds its site. */
async function readDocument(text: string, before: ComparableDescription | undefined): Promise<ComparableDescription | undefined> {
  const load = async (path: string) =>
    path === 'a.json'
      ? { kind: 'loaded' as const, bytes: new TextEncoder().encode(text) }
      : { kind: 'failed' as const, code: 'file-missing' as const, reason: 'no such file' }
  const check = await checkDescription('a.json', load)
  const comparable = toComparable(check)
  await bundleDescription(check, load)
  if (before && comparable) compareDescriptions(before, comparable, { today: '2026-06-15' })
  const { files } = await siteOfDocument('a.json', text)
  expectSafe(files, await ownTags)
  return comparable
}

/** Three times the average of the hundred inputs with the most calls, of 800. */
const mostCalls = 1_250_000
const perTest = 100
const parts = (count: number) => Array.from({ length: Math.ceil(runsOr(count, 10 * count) / perTest) }, (_, index) => index)

async function expectBounded(count: number, run: () => Promise<void>): Promise<void> {
  expect(await countCalls(run)).toBeLessThan(count * mostCalls)
}

/** Tests load the development builds of the Markdown packages, which assert what the builds that users have do not. */
function passAssertion(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_ASSERTION')) throw error
}

describe('no input throws, runs as code or takes more work than its size allows', { timeout: 3_600_000 }, () => {
  test.each(parts(3_000))('documents, part %d', (part) =>
    expectBounded(perTest, async () => {
      let before: ComparableDescription | undefined
      const read = fc.asyncProperty(documents, async (text) => {
        before = (await readDocument(text, before)) ?? before
      })
      await fc.assert(read, { seed: seed + part, numRuns: perTest })
    }),
  )

  test.each(parts(500))('pages, part %d', (part) =>
    expectBounded(perTest, async () => {
      const read = fc.asyncProperty(fc.array(editText(readCorpus(/mdx?$/)), { minLength: 10, maxLength: 10 }), async (texts) => {
        const pages = texts.map((text, index) => [`p${index}.${index < 8 ? 'mdx' : 'md'}`, text] as const)
        const docs = { name: 'T', navigation: { pages: pages.map((_, index) => `p${index}`) } }
        const built = await siteOf({ 'docs.json': JSON.stringify(docs), ...Object.fromEntries(pages) }).catch(passAssertion)
        if (built) expectSafe(built.files, await ownTags)
      })
      await fc.assert(read, { seed: seed + part, numRuns: perTest / 10 })
    }),
  )
})
