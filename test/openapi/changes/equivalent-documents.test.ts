import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { planBundle } from '../../../src/openapi/bundle/plan-bundle.ts'
import { compare } from '../../../src/openapi/changes/compare.ts'
import { checkDescription } from '../../../src/openapi/check-description.ts'
import type { LoadDocument } from '../../../src/openapi/document-set.ts'
import { isObject } from '../../../src/source/is-object.ts'
import { joinParts } from '../../../src/update/assemble-bundle.ts'
import { propertyRuns, seed } from '../../support/properties.ts'
import { createRandom, type Random } from '../../support/random.ts'
import { makePairs, toBaseDocument } from './behavior.ts'
import { compareDocuments, readDocument, summarize, type TestDocument } from './compare-documents.ts'
import { isText, listValues, readValue, writeValue } from './document-values.ts'
import { everyField } from './every-field.ts'

/** The documents of the test fixtures that have no references to other files. */
const fixtures = globSync('test/fixtures/**/*.{yaml,json}')
  .map((path) => readFileSync(path, 'utf8'))
  .filter((text) => /^\W*openapi\W/m.test(text) && !/\$ref['"]?: *['"]?[^'"# ]/.test(text))
  .flatMap((text) => {
    const value = tryParse(text)
    return isObject(value) && isObject(value['paths']) ? [value] : []
  })

/** Some fixtures are malformed on purpose. */
function tryParse(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** A description with most kinds of objects. */
const mostObjects: unknown = parse(readFileSync('test/openapi/changes/most-objects.yaml', 'utf8'))

const documents = [
  ...new Map([...everyField, mostObjects, ...fixtures].map((document) => [JSON.stringify(document), document])).values(),
]

/** Keys in a random order. */
function reorder(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((entry) => reorder(entry, random))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, entry]) => ({ key, entry: reorder(entry, random), order: random() }))
  return Object.fromEntries(entries.sort((a, b) => a.order - b.order).map(({ key, entry }) => [key, entry]))
}

const orderless = new Set(['required', 'enum', 'oneOf', 'allOf', 'tags', 'parameters', 'servers', 'security', 'type'])

/** The lists of one description that have no order, from the end. */
function reverseLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseLists)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const inner = reverseLists(entry)
      return [key, orderless.has(key) && Array.isArray(inner) ? inner.toReversed() : inner]
    }),
  )
}

/** Other descriptions, summaries, titles and examples. */
function rewriteTexts(document: unknown): unknown {
  const changed = structuredClone(document)
  for (const { segments, field } of listValues(document)) {
    const value = readValue(document, segments)
    if (isText(field) && typeof value === 'string') writeValue(changed, segments, `${value} and more`)
  }
  return changed
}

const groups: { readonly [object: string]: string } = {
  Schema: 'schemas',
  Parameter: 'parameters',
  Response: 'responses',
  'Request Body': 'requestBodies',
  Header: 'headers',
  Link: 'links',
  Callback: 'callbacks',
}

/** Moves some objects to components, the inner ones first. */
function moveToComponents(document: unknown, random: Random): unknown {
  const changed = structuredClone(document)
  const components: { [group: string]: { [name: string]: unknown } } = {}
  for (const { segments, object } of listValues(document).reverse()) {
    const group = groups[object ?? '']
    const value = readValue(changed, segments)
    const isComponent = segments[0] === 'components' && segments.length === 3
    if (group === undefined || isComponent || !isObject(value) || value['$ref'] !== undefined || random() < 0.6) continue
    if (isNamedAlternative(document, segments)) continue
    const names = components[group] ?? {}
    components[group] = names
    const name = `Moved${Object.keys(names).length}`
    names[name] = value
    writeValue(changed, segments, { $ref: `#/components/${group}/${name}` })
  }
  const known = isObject(changed) && isObject(changed['components']) ? changed['components'] : {}
  const merged = Object.entries(components).map(([group, names]) => [group, { ...Object(known[group]), ...names }])
  return { ...Object(changed), components: { ...known, ...Object.fromEntries(merged) } }
}

/** Whether a schema is an alternative whose name is a value of a discriminator. */
function isNamedAlternative(document: unknown, segments: readonly string[]): boolean {
  const around = readValue(document, segments.slice(0, -2))
  return isObject(around) && around['discriminator'] !== undefined
}

/** Replaces some references by their targets. */
function inline(document: unknown, random: Random): unknown {
  const expand = (value: unknown, open: readonly string[], isFixed: boolean): unknown => {
    if (Array.isArray(value)) return value.map((entry) => expand(entry, open, isFixed))
    if (!isObject(value)) return value
    const reference = value['$ref']
    if (typeof reference === 'string') {
      const isPlain = Object.keys(value).length === 1 && /^#\/components\/\w+\/\w+$/.test(reference)
      const target = isPlain ? readValue(document, reference.slice(2).split('/')) : undefined
      if (isFixed || !isObject(target) || open.includes(reference) || open.length > 2 || random() < 0.3) return value
      return expand(target, [...open, reference], false)
    }
    const hasNames = value['discriminator'] !== undefined
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, expand(entry, open, hasNames && (key === 'oneOf' || key === 'anyOf'))]),
    )
  }
  return expand(document, [], false)
}

/** The schemas in another file. */
function split(document: unknown): { readonly [path: string]: string } {
  const { components, ...rest } = Object(document)
  const { schemas, ...others } = Object(components)
  const refer = (value: unknown, toSchemas: string, toOthers: string) => {
    const text = JSON.stringify(value).replaceAll('"#/components/schemas/', `"${toSchemas}#/`)
    return text.replaceAll('"#/components/', `"${toOthers}#/components/`)
  }
  return {
    'openapi.yaml': refer({ ...rest, components: others }, 'schemas.yaml', ''),
    'schemas.yaml': refer(schemas ?? {}, '', 'openapi.yaml'),
  }
}

async function bundle(files: { readonly [path: string]: string }): Promise<string> {
  const load: LoadDocument = async (path) => {
    const text = files[path]
    if (text === undefined) return { kind: 'failed', code: 'file-missing', reason: 'no such file' }
    return { kind: 'loaded', bytes: new TextEncoder().encode(text) }
  }
  const { documents: loaded, description } = await checkDescription('openapi.yaml', load)
  const plan = description && (await planBundle(loaded, 'openapi.yaml', description.release, load))
  if (!plan) throw new Error('The description has no bundle')
  return JSON.stringify(await joinParts(plan))
}

const transformations: { readonly [title: string]: (document: unknown, random: Random) => Promise<TestDocument> | TestDocument } =
  {
    'in another format': (document) => stringify(document, { aliasDuplicateObjects: false }),
    'with indentation': (document) => JSON.stringify(document, null, 4),
    'with keys in another order': (document, random) => JSON.stringify(reorder(document, random)),
    'with other texts': (document) => JSON.stringify(rewriteTexts(document)),
    'with components in place of inline objects': (document, random) => JSON.stringify(moveToComponents(document, random)),
    'with inline objects in place of components': (document, random) => JSON.stringify(inline(document, random)),
    'in two files': (document) => split(document),
    'bundled from two files': (document) => bundle(split(document)),
  }

const today = '2026-06-15'

test.each(Object.entries(transformations))('finds no change in a description %s', async (_title, transform) => {
  const random = createRandom(seed)
  const made = Array.from({ length: propertyRuns(200) }, () => makePairs(random).map(toBaseDocument)).flat()
  expect(documents.length).toBeGreaterThan(10)
  for (const document of [...documents, ...made]) {
    const [base, revision] = [JSON.stringify(document), await transform(document, random)]
    const [from, to] = [await readDocument(base), await readDocument(revision)]
    const found = [...compare(from, to, { today }).changes, ...compare(to, from, { today }).changes]
    const shown = found.map(({ code, base: from, revision: to }) => `${code} ${from?.pointer} → ${to?.pointer}`)
    if (shown.length > 0) expect({ shown, base, revision }).toEqual({ shown: [], base, revision })
  }
})

test.each([
  ['lists without an order in another order', JSON.stringify(reverseLists(mostObjects))],
  ['another version', JSON.stringify(mostObjects).replace('"3.1.0"', '"3.2.0"')],
])('finds no change with %s', async (_title, revision) => {
  const base = JSON.stringify(mostObjects)
  expect(revision).not.toBe(base)
  expect(summarize(await compareDocuments(base, revision))).toEqual([])
  expect(summarize(await compareDocuments(revision, base))).toEqual([])
})

/** The description in several files, and as one. */
const inFiles = {
  'openapi.yaml': `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {/pets: {$ref: 'paths/pets.yaml'}}
`,
  'paths/pets.yaml': `get:
  responses:
    '200': {description: Pet, content: {application/json: {schema: {oneOf: [{$ref: '../schemas.yaml#/Dog'}, {$ref: '../schemas.yaml#/Cat'}]}}}}
`,
  'schemas.yaml': `Dog: {type: object, properties: {cat: {$ref: '#/Cat'}}}
Cat: {type: object, properties: {dog: {$ref: '#/Dog'}}}
`,
}

const asOne = `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      responses:
        '200':
          description: Pet
          content:
            application/json:
              schema:
                oneOf: [{$ref: '#/components/schemas/Dog'}, {$ref: '#/components/schemas/Cat'}]
components:
  schemas:
    Dog: {type: object, properties: {cat: {$ref: '#/components/schemas/Cat'}}}
    Cat: {type: object, properties: {dog: {$ref: '#/components/schemas/Dog'}}}
`

test('finds no change between files that refer to each other and their bundle', async () => {
  expect(summarize(await compareDocuments(inFiles, asOne))).toEqual([])
  expect(summarize(await compareDocuments(asOne, inFiles))).toEqual([])
})

test('finds no change between the spellings of OpenAPI 3.0 and 3.1', async () => {
  const toDocument = (version: string, schema: string) => `openapi: ${version}
info: {title: Pets, version: "1"}
paths: {/pets: {get: {responses: {'200': {description: Pet, content: {application/json: {schema: ${schema}}}}}}}}
`
  const old = toDocument('3.0.3', '{type: integer, nullable: true, minimum: 1, exclusiveMinimum: true}')
  const next = toDocument('3.1.0', "{type: [integer, 'null'], exclusiveMinimum: 1}")
  expect(summarize(await compareDocuments(old, next))).toEqual([])
})
