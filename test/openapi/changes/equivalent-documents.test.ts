import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { planBundle } from '../../../src/openapi/bundle/plan-bundle.ts'
import { checkDescription } from '../../../src/openapi/check-description.ts'
import type { LoadDocument } from '../../../src/openapi/document-set.ts'
import { isObject } from '../../../src/source/is-object.ts'
import { joinParts } from '../../../src/update/assemble-bundle.ts'
import { propertyRuns, seed } from '../../support/properties.ts'
import { createRandom, type Random } from '../../support/random.ts'
import { makePairs, toBaseDocument } from './behavior.ts'
import { compareDocuments, type TestDocument } from './compare-documents.ts'
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

const documents = [...new Map([...everyField, ...fixtures].map((document) => [JSON.stringify(document), document])).values()]

/** Keys in a random order. */
function reorder(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((entry) => reorder(entry, random))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, entry]) => ({ key, entry: reorder(entry, random), order: random() }))
  return Object.fromEntries(entries.sort((a, b) => a.order - b.order).map(({ key, entry }) => [key, entry]))
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

test.each(Object.entries(transformations))('finds no change in a description %s', async (_title, transform) => {
  const random = createRandom(seed)
  const made = Array.from({ length: propertyRuns(200) }, () => makePairs(random).map(toBaseDocument)).flat()
  expect(documents.length).toBeGreaterThan(10)
  for (const document of [...documents, ...made]) {
    const [base, revision] = [JSON.stringify(document), await transform(document, random)]
    const found = [...(await compareDocuments(base, revision)), ...(await compareDocuments(revision, base))]
    const shown = found.map(({ code, base: from, revision: to }) => `${code} ${from?.pointer} → ${to?.pointer}`)
    if (shown.length > 0) expect({ shown, base, revision }).toEqual({ shown: [], base, revision })
  }
})
