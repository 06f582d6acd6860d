import { expect, test } from 'vitest'
import { compare } from '../../../src/openapi/changes/compare.ts'
import { objectTables } from '../../../src/openapi/tables/object-tables.ts'
import { valueAtPointer } from '../../../src/source/json-pointer.ts'
import { runsOr, seed } from '../../support/properties.ts'
import { readDocument } from './compare-documents.ts'
import { type DocumentValue, isText, listValues, readValue, writeValue } from './document-values.ts'
import { everyField } from './every-field.ts'

/** Fields whose changes are not reported, with the reason. The name is that of the object in the tables. */
const ignored: { readonly [field: string]: string } = {
  'OpenAPI.$self': 'Identifies the document, and references to it are followed',
  'OpenAPI.jsonSchemaDialect': 'The dialect of OpenAPI is used for every schema',
  'OpenAPI.info': 'Describes the document. The version is part of the comparison',
  'OpenAPI.tags': 'Text about tags',
  'Info.termsOfService': 'Text',
  'Info.contact': 'Text',
  'Info.license': 'Text',
  'Info.version': 'Part of the comparison itself',
  'Contact.*': 'Text',
  'License.*': 'Text',
  'Tag.*': 'Text about tags',
  'External Documentation.*': 'Text',
  'Server.name': 'Text',
  'Components.examples': 'Examples',
  'Example.*': 'Examples',
  'Schema.$defs': 'Only its uses have an effect',
  'Schema.definitions': 'Only its uses have an effect',
  'Schema.$id': 'Identifies the schema, and references to it are followed',
  'Schema.$schema': 'The dialect of OpenAPI is used for every schema',
  'Schema.$anchor': 'Identifies the schema, and references to it are followed',
  'Schema.$dynamicAnchor': 'Identifies the schema, and references to it are followed',
  'Schema.$recursiveAnchor': 'Identifies the schema, and references to it are followed',
  'Schema.$vocabulary': 'Concerns meta-schemas',
  'HTTP Security Scheme.bearerFormat': 'A hint for people. Clients do not look into a token',
  'Header.style': '`simple` is the only value',
  'Header.allowEmptyValue': 'Has an effect in queries only',
  'Header.allowReserved': 'Has an effect in queries only',
}

/** Mutations without an effect, with the reason. */
const withoutEffect: readonly (readonly [mutation: RegExp, reason: string])[] = [
  [/^\w+ Parameter\.required .*\/\{id\}\/parameters\/0\//, 'A parameter in a path is always required'],
  [/^change .* OAuth Flow\.scopes /, 'The value of a scope is its description'],
  [/\/(?:\$defs|definitions)\//, 'Only the uses of a schema have an effect'],
]

/** Mutations after which a reference cannot be resolved. The check reports it, and what it referred to is not compared. */
const breaksReferences = /^remove (?:OpenAPI\.components|Components\.(?!securitySchemes)\w+) at /

/** Values that replace a value where its name with another letter is not allowed. */
const replacements: { readonly [value: string]: string } = {
  query: 'header',
  querystring: 'query',
  header: 'query',
  cookie: 'query',
  string: 'integer',
  integer: 'string',
  number: 'string',
  boolean: 'string',
  array: 'object',
  object: 'array',
  null: 'integer',
  spaceDelimited: 'pipeDelimited',
  attribute: 'element',
  apiKey: 'http',
  http: 'apiKey',
  oauth2: 'http',
  mutualTLS: 'http',
  openIdConnect: 'http',
  beta: 'stable',
  '2030-01-01': '2029-01-01',
}

interface Mutation extends DocumentValue {
  readonly kind: 'remove' | 'change'
}

/** Every value of a document that can be removed or changed. */
function listMutations(document: unknown): Mutation[] {
  return listValues(document).flatMap((value): Mutation[] => {
    const isScalar = Object(readValue(document, value.segments)) !== readValue(document, value.segments)
    return [{ ...value, kind: 'remove' }, ...(isScalar ? [{ ...value, kind: 'change' } as const] : [])]
  })
}

function apply(document: unknown, { kind, segments }: Mutation): unknown {
  const changed: unknown = structuredClone(document)
  writeValue(changed, segments, kind === 'remove' ? undefined : replace(readValue(changed, segments)))
  return changed
}

function replace(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (value === null) return 'null'
  return typeof value === 'string' ? (replacements[value] ?? `${value}x`) : value
}

function isIgnored(field: string): boolean {
  const [object = ''] = field.split('.')
  return isText(field) || field in ignored || `${object}.*` in ignored
}

/** Mutations of each document in `npm test`. */
const sample = 60

const documents = everyField.map((document) => ({ document, mutations: listMutations(document) }))

test.each(documents)('every change that is not text is found in both directions', async ({ document, mutations }) => {
  const base = await readDocument(JSON.stringify(document))
  const [missed, unexpected, unplaced]: [string[], string[], string[]] = [[], [], []]
  const step = Math.max(1, Math.floor(mutations.length / runsOr(sample, mutations.length)))
  for (const mutation of mutations.filter((_mutation, index) => (index + seed) % step === 0)) {
    const revision = await readDocument(JSON.stringify(apply(document, mutation)))
    const shown = `${mutation.kind} ${mutation.field} at /${mutation.segments.join('/')}`
    if (breaksReferences.test(shown)) continue
    const mustDiffer = !isIgnored(mutation.field) && !withoutEffect.some(([pattern]) => pattern.test(shown))
    for (const [from, to, arrow] of [
      [base, revision, '→'],
      [revision, base, '←'],
    ] as const) {
      const { changes } = compare(from, to, { today: '2026-06-15' })
      for (const { code, ...places } of changes) {
        const isPlaced = [from, to].every(({ root }, index) => {
          const place = index === 0 ? places.base : places.revision
          return !place || valueAtPointer(root.value, place.pointer) !== undefined
        })
        if (!isPlaced) unplaced.push(`${shown} ${arrow} ${code}`)
      }
      if (mustDiffer && changes.length === 0) missed.push(`${shown} ${arrow}`)
      if (!mustDiffer && changes.length > 0) unexpected.push(`${shown} ${arrow} ${changes.map(({ code }) => code).join()}`)
    }
  }
  expect({ missed, unexpected, unplaced }).toEqual({ missed: [], unexpected: [], unplaced: [] })
})

test('the documents have every field', () => {
  const used = new Set(documents.flatMap(({ mutations }) => mutations.map(({ field }) => field)))
  const tables = [...objectTables('3.0').values(), ...objectTables('3.2').values()].filter(({ key }) => !key.startsWith('{'))
  const names = tables.flatMap(({ key, fields }) => [...fields.keys()].map((name) => `${key}.${name}`))
  expect(names.filter((field) => !used.has(field) && !isIgnored(field) && field !== 'OpenAPI.openapi')).toEqual([])
})
