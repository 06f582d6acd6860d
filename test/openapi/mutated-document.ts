import { objectTables, releases } from '../../src/openapi/tables/object-tables.ts'
import type { OpenApiRelease } from '../../src/openapi/types.ts'
import { fc } from '../support/properties.ts'
import { documentWith } from './documents.ts'
import { expectedCodes, objectCases } from './object-cases.ts'

/** A document of the table of cases with some parts removed, renamed, replaced, added or moved. */
interface MutatedDocument {
  readonly release: OpenApiRelease
  readonly document: unknown
}

type Container = { [key: string]: unknown } | unknown[]

interface Place {
  readonly container: Container
  readonly name: string
}

const seeds = releases.flatMap((release, index) =>
  objectCases.flatMap(([place, value, expected]) => {
    // Half of the changes should start from something valid, or nearly all results were invalid.
    return expectedCodes(expected, index) === undefined
      ? []
      : [{ release, place, value, valid: expectedCodes(expected, index)?.length === 0 }]
  }),
)
const validSeeds = seeds.filter(({ valid }) => valid)

const fieldNames = Array.from(
  new Set(releases.flatMap((release) => [...objectTables(release).values()].flatMap((table) => [...table.fields.keys()]))),
  // Another dialect or root changes what the rest means, which the official schemas do not follow.
).filter((name) => !['jsonSchemaDialect', '$schema', '$id', '$self', 'openapi'].includes(name))

const keys = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...fieldNames) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('x-own', '/pets', '200', '2XX', 'default', 'unknown', 'a b', '$ref', 'X-Header'),
  },
)

const someValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  7,
  '',
  'text',
  'two words',
  'https://example.com/a',
  'ann@example.com',
  'string',
  'query',
  'path',
  'form',
  [],
  {},
  [{}],
  ['text'],
  ['text', 'text'],
  { text: 'text' },
  { type: 'string' },
  { description: 'OK' },
  { $ref: '#/components/schemas/Tested' },
  { 'application/json': {} },
]
const caseValues = objectCases.map(([, value]) => value).filter((value) => value !== undefined)

const values = fc.oneof(fc.constantFrom(...someValues), fc.constantFrom(...caseValues))

const change = fc.record({
  kind: fc.constantFrom('remove', 'rename', 'replace', 'add', 'add', 'copy'),
  at: fc.nat(),
  to: fc.nat(),
  key: keys,
  value: values,
})

/** One change of one document. Shrinks toward fewer changes. */
export const mutatedDocument: fc.Arbitrary<MutatedDocument> = fc
  .record({
    seed: fc.oneof(fc.constantFrom(...validSeeds), fc.constantFrom(...seeds)),
    changes: fc.array(change, { minLength: 0, maxLength: 3 }),
  })
  .map(({ seed, changes }) => {
    const document = toPlain(documentWith(seed.release, seed.place, seed.value))
    for (const { kind, at, to, key, value } of changes) applyChange(document, kind, at, to, key, toPlain(value))
    return { release: seed.release, document: toPlain(document) }
  })

function applyChange(document: unknown, kind: string, at: number, to: number, key: string, value: unknown): void {
  const places = listPlaces(document)
  const place = places[at % places.length]
  const other = places[to % places.length]
  if (!place || !other) return
  const { container, name } = place
  const current = valueAt(place)
  switch (kind) {
    case 'remove':
      if (Array.isArray(container)) container.splice(Number(name), 1)
      else delete container[name]
      return
    case 'rename':
      if (Array.isArray(container)) return
      delete container[name]
      define(container, key, current)
      return
    case 'replace':
      define(container, name, value)
      return
    case 'add':
      if (Array.isArray(current)) current.push(value)
      else if (typeof current === 'object' && current !== null) define(current as Container, key, value) // Neither null nor a list.
      return
    default:
      define(container, name, toPlain(valueAt(other)))
  }
}

/** Every value below the top but the version, with what contains it. */
function listPlaces(value: unknown, top = true): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const container = value as Container // Neither null nor a scalar.
  return Object.entries(value).flatMap(([name, entry]) => {
    if (top && name === 'openapi') return []
    return [{ container, name }, ...listPlaces(entry, false)]
  })
}

function valueAt({ container, name }: Place): unknown {
  return Array.isArray(container) ? container[Number(name)] : container[name]
}

/** As `JSON.parse` sets a key, `__proto__` included. */
function define(container: Container, name: string, value: unknown): void {
  Object.defineProperty(container, name, { value, configurable: true, enumerable: true, writable: true })
}

function toPlain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value))
}
