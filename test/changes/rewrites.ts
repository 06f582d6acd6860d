import { stringify } from 'yaml'
import type { ComparableDescription } from '../../src/changes/change.ts'
import { compareDescriptions } from '../../src/changes/compare/compare.ts'
import { checkDescription } from '../../src/checks/check-description.ts'
import { joinParts } from '../../src/docs/update/stored-documents.ts'
import { bundleDescription } from '../../src/openapi/bundle/bundle-description.ts'
import { isObject } from '../../src/text/json/json-values.ts'
import { createRandom, type Random } from '../support/random.ts'
import { loadFrom, readDocument, type TestDocument } from './compare-documents.ts'
import { isText, listValues, readValue, withValue, writeValue } from './document-values.ts'
import type { Schema } from './random-schemas.ts'

/** Writes a document in another way that means the same. Returns the same document if there is nothing to write in this way. */
type Rewrite = (document: unknown, random: Random) => Promise<TestDocument> | TestDocument

/** Each kind of rewrite. */
export const rewrites: { readonly [title: string]: Rewrite } = {
  'another format': (document) => stringify(document, { aliasDuplicateObjects: false }),
  'keys in another order': (document, random) => JSON.stringify(reorder(document, random), null, 4),
  'lists in another order': (document, random) => JSON.stringify(reorderLists(document, random)),
  'other texts': (document) => JSON.stringify(rewriteTexts(document)),
  'components in place of inline objects': (document, random) => JSON.stringify(moveToComponents(document, random)),
  'inline objects in place of components': (document, random) => JSON.stringify(inline(document, random)),
  'two files': (document) => split(document),
  'a bundle of two files': (document) => bundle(split(document)),
  'a bundle of many files': (document) => bundle(splitAll(document)),
  'other names of components': (document) => renameComponents(document, (name) => `${name}Renamed`),
  'components that exchange their names': (document) =>
    renameComponents(document, (name, names) => String(names[(names.indexOf(name) + 1) % names.length])),
  'nested unions': (document, random) => JSON.stringify(rewriteSchemas(document, random, nestUnion)),
  'unions as components': (document, random) =>
    JSON.stringify(moveToComponents(rewriteSchemas(document, random, nestUnion), random)),
  'nested compositions': (document, random) => JSON.stringify(rewriteSchemas(document, random, nestComposition)),
  'other keywords': (document, random) => JSON.stringify(rewriteSchemas(document, random, respell)),
  'another version': (document, random) => JSON.stringify(upgrade(document, random.of(['3.1.0', '3.2.0']))),
  'defaults that are written out': (document, random) => JSON.stringify(writeDefaults(document, random)),
  'numbers in another notation': (document) => respellNumbers(document),
  'parameters of the path': (document) => JSON.stringify(moveParameters(document)),
}

/** Those after which a change of one value has the same code and the same level: the value is written with the same keyword, in as many places. */
export const sameParts = Object.entries(rewrites).filter(
  ([title]) => !/inline|nested|as components|other keywords|written out/.test(title),
)

const options = { today: '2026-06-15' }

/** The changes between a document and the same one in another form, in both directions, with both documents. There must be none. */
export async function compareRewritten(document: unknown, rewrite: Rewrite, random: Random): Promise<object | undefined> {
  const revision = await rewrite(document, random)
  const [from, to] = [await readDocument(JSON.stringify(document)), await readDocument(revision)]
  const found = [...compareDescriptions(from, to, options).changes, ...compareDescriptions(to, from, options).changes]
  const shown = found.map(({ code, base, revision: other }) => `${code} ${base?.pointer} → ${other?.pointer}`)
  return shown.length > 0 ? { shown, document, revision } : undefined
}

/** The changes that only one form of two versions of a document has, with these. There must be none. */
export async function compareVersions(document: unknown, rewrite: Rewrite, random: Random): Promise<object | undefined> {
  const values = listValues(document).filter(({ segments }) => segments[0] !== 'info')
  const { segments } = random.of(values)
  const value = readValue(document, segments)
  const next = typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : undefined
  const changed = withValue(document, segments, next)
  const again = createRandom(Math.floor(random() * 1_000_000))
  const forms = [document, changed, await rewrite(document, again), await rewrite(changed, again)]
  const texts = forms.map((form) => (isObject(form) && !('openapi.yaml' in form) ? JSON.stringify(form) : (form as TestDocument)))
  const [from, to, newFrom, newTo] = await Promise.all(texts.map(readDocument))
  if (!from || !to || !newFrom || !newTo) return undefined
  const [expected, actual] = [listEffects(from, to), listEffects(newFrom, newTo)]
  const differing = [
    ...expected.filter((each) => !actual.includes(each)).map((each) => `- ${each}`),
    ...actual.filter((each) => !expected.includes(each)).map((each) => `+ ${each}`),
  ]
  return differing.length > 0 ? { differing, at: segments.join('/'), document, texts } : undefined
}

/** What each change is for each operation. Forms differ in the places of a change, and in how often it is listed. */
function listEffects(from: ComparableDescription, to: ComparableDescription): string[] {
  const effects = compareDescriptions(from, to, options).changes.flatMap(({ code, level, operations }) => {
    // Only a note that `mapping` lists what the name says.
    if (code === 'discriminator-changed') return []
    const places = operations.length === 0 ? [''] : operations.map(({ method, path }) => `${method} ${path}`)
    return places.map((place) => `${level} ${code} ${place}`)
  })
  return [...new Set(effects)].sort()
}

/** Keys in a random order. */
function reorder(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((entry) => reorder(entry, random))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, entry]) => ({ key, entry: reorder(entry, random), order: random() }))
  return Object.fromEntries(entries.sort((a, b) => a.order - b.order).map(({ key, entry }) => [key, entry]))
}

/** Lists whose order has no meaning, in a random order that depends on their entries. */
function reorderLists(document: unknown, random: Random): unknown {
  const changed = structuredClone(document)
  const salt = Math.floor(random() * 1_000_000)
  const orderOf = (entry: unknown) =>
    createRandom([...JSON.stringify(entry)].reduce((hash, each) => (hash * 31 + each.charCodeAt(0)) % 1_000_003, salt))()
  for (const { segments, field } of listValues(document).reverse()) {
    const value = readValue(changed, segments)
    if (!Array.isArray(value) || !unordered.has(field) || segments.at(-1) !== field.split('.')[1]) continue
    const entries = value.map((entry: unknown) => ({ entry, order: orderOf(entry) })).sort((a, b) => a.order - b.order)
    writeValue(
      changed,
      segments,
      entries.map(({ entry }) => entry),
    )
  }
  return changed
}

const unordered = new Set([
  ...['oneOf', 'anyOf', 'allOf', 'required', 'enum', 'type'].map((keyword) => `Schema.${keyword}`),
  ...['Operation.parameters', 'Path Item.parameters', 'Operation.tags', 'Operation.security', 'OpenAPI.security'],
])

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

/** Each schema in a folder of its own, in files with the same name. */
function splitAll(document: unknown): string | { readonly [path: string]: string } {
  const { components, ...rest } = Object(writeMappings(document))
  const { schemas, ...others } = Object(components)
  if (!schemas || hasNamedSubtypes(document)) return JSON.stringify(document)
  const toText = (value: unknown, up: string) =>
    JSON.stringify(value)
      .replaceAll(/"#\/components\/schemas\/([^/"]+)/g, (_all, name: string) => `"${up}${name}/model.yaml#`)
      .replaceAll('"#/components/', `"${up}openapi.yaml#/components/`)
  const files = Object.entries(schemas).map(([name, schema]) => [`${name}/model.yaml`, toText(schema, '../')])
  const entry = { ...rest, components: others }
  return { 'openapi.yaml': toText(entry, './').replaceAll('"./openapi.yaml#/', '"#/'), ...Object.fromEntries(files) }
}

/** Whether the name of a schema that extends another one selects it. */
function hasNamedSubtypes(document: unknown): boolean {
  return listValues(document).some(({ segments, object }) => {
    const schema = object === 'Schema' ? readValue(document, segments) : undefined
    return isObject(schema) && isObject(schema['discriminator']) && !schema['oneOf'] && !schema['anyOf']
  })
}

/** The same document with each name of an alternative that is a value of a discriminator written out. */
function writeMappings(document: unknown): unknown {
  const changed = structuredClone(document)
  const known = Object(readValue(document, ['components', 'schemas']) ?? {})
  const toReference = (text: unknown) => (Object.hasOwn(known, String(text)) ? `#/components/schemas/${text}` : text)
  for (const { segments, object } of listValues(document).reverse()) {
    const schema = readValue(changed, segments)
    if (object !== 'Schema' || !isObject(schema) || !isObject(schema['discriminator'])) continue
    const { mapping, defaultMapping, ...own } = schema['discriminator']
    const written = Object.entries(Object(mapping)).map(([value, text]) => [value, toReference(text)])
    const references = [schema['oneOf'], schema['anyOf']]
      .flat()
      .flatMap((each) => (isObject(each) ? String(each['$ref'] ?? '') : []))
    const implied = references.filter(
      (text) => text.startsWith('#/components/schemas/') && !written.some(([, to]) => to === text),
    )
    const all = Object.fromEntries([...implied.map((text) => [text.split('/').at(-1), text]), ...written])
    const rest = defaultMapping === undefined ? {} : { defaultMapping: toReference(defaultMapping) }
    writeValue(changed, [...segments, 'discriminator'], { ...own, mapping: all, ...rest })
  }
  return changed
}

async function bundle(files: TestDocument): Promise<string> {
  const load = loadFrom(files)
  const made = await bundleDescription(await checkDescription('openapi.yaml', load), load)
  if (!made) throw new Error('The description has no bundle')
  return JSON.stringify(await joinParts(made))
}

/** Gives each component another name. The names of subtypes are values of a discriminator. */
function renameComponents(document: unknown, rename: (name: string, names: readonly string[]) => string): string {
  if (hasNamedSubtypes(document)) return JSON.stringify(document)
  const written = Object(writeMappings(document))
  const components = Object.entries(Object(written.components)).filter(([group]) => Object.values(groups).includes(group))
  const names = new Map(components.map(([group, entries]) => [group, Object.keys(Object(entries))]))
  const toName = (group: string, name: string) => (names.get(group)?.includes(name) ? rename(name, names.get(group) ?? []) : name)
  const renamed = components.map(([group, entries]) => [
    group,
    Object.fromEntries(Object.entries(Object(entries)).map(([name, entry]) => [toName(group, name), entry])),
  ])
  const all = JSON.stringify({ ...written, components: { ...written.components, ...Object.fromEntries(renamed) } })
  return all.replaceAll(
    /"#\/components\/(\w+)\/([^/"]+)/g,
    (_all, group: string, name: string) => `"#/components/${group}/${toName(group, name)}`,
  )
}

/** Changes some schemas, the inner ones first. */
function rewriteSchemas(
  document: unknown,
  random: Random,
  change: (schema: Schema, random: Random, version: string) => Schema | undefined,
): unknown {
  const changed = structuredClone(document)
  const version = String(readValue(document, ['openapi']))
  for (const { segments, object } of listValues(document).reverse()) {
    const schema = readValue(changed, segments)
    if (object !== 'Schema' || !isObject(schema) || schema['$ref'] !== undefined || random() < 0.5) continue
    const written = change(schema, random, version)
    if (written) writeValue(changed, segments, written)
  }
  return changed
}

/** Moves some alternatives into a union of them. With a discriminator, their names have a meaning. */
function nestUnion(schema: Schema, random: Random): Schema | undefined {
  const keyword = ['oneOf', 'anyOf'].find((each) => Array.isArray(schema[each]))
  const branches = keyword === undefined ? undefined : schema[keyword]
  if (keyword === undefined || !Array.isArray(branches) || schema['discriminator'] !== undefined) return undefined
  const from = Math.floor(random() * branches.length)
  const nested = branches.slice(from, from + 1 + Math.floor(random() * 3))
  return { ...schema, [keyword]: [...branches.slice(0, from), { [keyword]: nested }, ...branches.slice(from + nested.length)] }
}

/** Moves a schema, or some of its properties or branches, into `allOf`. */
function nestComposition(schema: Schema, random: Random): Schema | undefined {
  const { allOf, properties, type } = schema
  // In OpenAPI 3.0, it belongs to the type beside it.
  if (schema['nullable'] !== undefined && type === undefined) return undefined
  if (Array.isArray(allOf) && random() < 0.5) return { ...schema, allOf: [{ allOf: allOf.slice(0, 2) }, ...allOf.slice(2)] }
  const isOpen = !Object.keys(schema).some((key) =>
    /^(?:additional|unevaluated|pattern)Properties$|^(?:allOf|discriminator)$/.test(key),
  )
  if (!isOpen || !isObject(properties) || random() < 0.5) return { allOf: [schema] }
  const [first, ...others] = Object.entries(properties)
  if (!first) return undefined
  return { ...schema, properties: Object.fromEntries(others), allOf: [{ type, properties: Object.fromEntries([first]) }] }
}

/** Writes what a schema says with other keywords of OpenAPI 3.1. */
function respell(schema: Schema, _random: Random, version: string): Schema | undefined {
  if (version.startsWith('3.0')) return undefined
  const { type, const: constant, dependentRequired, format, ...rest } = schema
  const [only, ...others] = Object.entries(isObject(dependentRequired) ? dependentRequired : {})
  if (only && others.length === 0 && rest['if'] === undefined) {
    const { dependentRequired: _dependent, ...all } = schema
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
    return { ...all, if: { required: [only[0]] }, then: { required: only[1] } }
  }
  if (constant !== undefined && rest['enum'] === undefined) {
    const { const: _constant, ...all } = schema
    return { ...all, enum: [constant] }
  }
  if (format === 'byte') return { ...rest, type, contentEncoding: 'base64' }
  if (format === 'binary') return { ...rest, type, contentMediaType: 'application/octet-stream' }
  const isTypes = Array.isArray(type) && type.length > 1 && Object.keys(schema).length === 1
  return isTypes && !/array|object/.test(String(type)) ? { anyOf: type.map((each: unknown) => ({ type: each })) } : undefined
}

/** Upgrades a document from OpenAPI 3.0 as the guide of the OpenAPI Initiative says. */
function upgrade(document: unknown, to: string): unknown {
  const version = String(readValue(document, ['openapi']))
  if (!version.startsWith('3.0')) return { ...Object(document), openapi: to > version ? to : version }
  const changed = structuredClone(document)
  for (const { segments, object } of listValues(document).reverse()) {
    const value = readValue(changed, segments)
    if (!isObject(value)) continue
    // Fields beside a reference have no effect before 3.1.
    if (typeof value['$ref'] === 'string') writeValue(changed, segments, { $ref: value['$ref'] })
    else if (object === 'Schema') writeValue(changed, segments, upgradeSchema(value))
  }
  return { ...Object(changed), openapi: to }
}

function upgradeSchema(schema: Schema): Schema {
  const { nullable, example, exclusiveMinimum, exclusiveMaximum, format, ...rest } = schema
  const upgraded: Schema = { ...rest, ...(example === undefined ? {} : { examples: [example] }) }
  for (const [keyword, isExclusive] of Object.entries({ minimum: exclusiveMinimum, maximum: exclusiveMaximum })) {
    if (isExclusive !== true || rest[keyword] === undefined) continue
    upgraded[`exclusive${keyword === 'minimum' ? 'Minimum' : 'Maximum'}`] = rest[keyword]
    delete upgraded[keyword]
  }
  if (format === 'byte') upgraded['contentEncoding'] = 'base64'
  else if (format === 'binary') upgraded['contentMediaType'] = 'application/octet-stream'
  else if (format !== undefined) upgraded['format'] = format
  if (nullable !== true) return upgraded
  if (typeof rest['type'] === 'string') return { ...upgraded, type: [rest['type'], 'null'] }
  return Object.keys(upgraded).length === 0 ? {} : { anyOf: [upgraded, { type: 'null' }] }
}

/** Values that fields have without being written. */
const defaults: { readonly [object: string]: (value: Schema, all: string) => Schema } = {
  Parameter: ({ in: location, style = ['query', 'cookie'].includes(String(location)) ? 'form' : 'simple', content }) => ({
    ...(location === 'path' ? {} : { required: false }),
    ...(content === undefined ? { style, explode: style === 'form', deprecated: false } : {}),
    ...(location === 'query' && content === undefined ? { allowReserved: false } : {}),
  }),
  Header: ({ content }) => ({ required: false, ...(content === undefined ? { style: 'simple', explode: false } : {}) }),
  'Request Body': () => ({ required: false }),
  Operation: () => ({ deprecated: false }),
  Schema: ({ type, contains, oneOf, anyOf, discriminator }, all) => {
    const names = [oneOf, anyOf].flat().flatMap((each) =>
      isObject(each)
        ? String(each['$ref'] ?? '')
            .split('/')
            .slice(-1)
        : [],
    )
    const mapping = Object.fromEntries(names.filter((name) => name !== '').map((name) => [name, `#/components/schemas/${name}`]))
    return {
      ...{ deprecated: false, readOnly: false, writeOnly: false },
      ...(type === 'string' ? { minLength: 0 } : {}),
      ...(type === 'array' ? { minItems: 0, uniqueItems: false } : {}),
      ...(type === 'object' && !all.includes('"unevaluated') ? { minProperties: 0, additionalProperties: true } : {}),
      ...(contains === undefined ? {} : { minContains: 1 }),
      ...(isObject(discriminator) ? { discriminator: { mapping, ...discriminator } } : {}),
    }
  },
}

function writeDefaults(document: unknown, random: Random): unknown {
  const changed = structuredClone(document)
  const all = JSON.stringify(document)
  for (const { segments, object } of listValues(document).reverse()) {
    const value = readValue(changed, segments)
    const toDefaults = defaults[object ?? '']
    if (!toDefaults || !isObject(value) || value['$ref'] !== undefined || random() < 0.5) continue
    const written = toDefaults(value, all)
    writeValue(changed, segments, {
      ...written,
      ...value,
      ...(isObject(value['discriminator']) ? { discriminator: written['discriminator'] } : {}),
    })
  }
  return changed
}

/** Writes `1.0` and `1e0` for 1. */
function respellNumbers(document: unknown): string {
  const marked = JSON.stringify(document, (_key, value) => (Number.isInteger(value) ? `number ${value}` : value))
  return marked.replaceAll(/"number (-?\d+)"/g, (_all, digits: string) =>
    Number(digits) % 2 === 0 ? `${digits}.0` : `${digits}e0`,
  )
}

/** Moves the parameters of the only operation of a path to the path. */
function moveParameters(document: unknown): unknown {
  const changed = structuredClone(document)
  for (const { segments, object } of listValues(document)) {
    const item = readValue(changed, segments)
    if (object !== 'Path Item' || !isObject(item)) continue
    const methods = Object.keys(item).filter((key) => isObject(item[key]))
    const operation = methods.length === 1 ? item[String(methods[0])] : undefined
    if (!isObject(operation) || item['parameters'] !== undefined || item['$ref'] !== undefined) continue
    const { parameters, ...rest } = operation
    if (parameters !== undefined) writeValue(changed, segments, { ...item, parameters, [String(methods[0])]: rest })
  }
  return changed
}
