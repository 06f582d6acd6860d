import { isObject, readOwn } from '../../../source/is-object.ts'
import type { Path, RuleAction } from '../ruleset.ts'

/** In place of a value: there is none. */
export const absent = Symbol('absent')

/** Values for fields by name, so that examples look like real documents. */
const samples: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['title', 'Pets'],
  ['version', '1.0.0'],
  ['summary', 'List pets'],
  ['description', 'Lists the pets of the store.'],
  ['operationId', 'listPets'],
  ['name', 'pets'],
  ['url', 'https://api.example.com'],
  ['email', 'api@example.com'],
  ['contact', { name: 'API team', url: 'https://example.com', email: 'api@example.com' }],
  ['license', { name: 'MIT', url: 'https://opensource.org/license/mit' }],
  ['tags', ['pets']],
  ['servers', [{ url: 'https://api.example.com' }]],
  ['security', [{ apiKey: [] }]],
  ['responses', { '200': { description: 'OK' } }],
  ['parameters', [{ name: 'limit', in: 'query', schema: { type: 'integer' } }]],
  ['schema', { type: 'string' }],
  ['items', { type: 'string' }],
  ['properties', { name: { type: 'string' } }],
  ['type', 'string'],
  ['enum', ['cat', 'dog']],
  ['example', 'cat'],
  ['deprecated', true],
  ['externalDocs', { url: 'https://example.com' }],
])

function sampleOf(name: string | number | undefined): unknown {
  const known = name === undefined ? undefined : samples.get(String(name))
  return known ?? 'pets'
}

/** Strings of many shapes, of which a pattern or a convention accepts some. */
const words = [
  ...['pets', 'Pets', 'listPets', 'ListPets', 'list-pets', 'list_pets', 'LIST_PETS', 'LIST-PETS', 'list pets', 'List pets'],
  ...[
    'List pets.',
    'petstore',
    '/pets',
    '/pets/',
    '/Pets',
    '/petOwners',
    '/pet-owners',
    '/pet_owners',
    '/pets?limit=10',
    '/pets/{}',
  ],
  ...[
    '/pets/{petId}',
    '/pets/{pet-id}',
    '/pets/{pet_id}',
    '/v1/pets',
    '/api/pets',
    'https://api.example.com',
    'http://api.example.com',
  ],
  ...[
    'https://api.example.com/',
    'https://api.example.com/v1',
    'application/json',
    'text/plain',
    '200',
    '404',
    '1.0.0',
    '1.0',
    'v1',
  ],
  ...['X-Pets', 'Pet-Count', '2026-01-31', 'api@example.com', 'pets <script>', 'eval(pets)', 'Pets API', 'pets!', 'A'],
]

/**
 * Values that a rule may accept or not. Whoever shows one as an example has to apply the rule to it first.
 *
 * @param path of the value in the example, which decides what it looks like.
 */
export function listSampleValues({ functionName, options }: RuleAction, path: Path): readonly unknown[] {
  const sample = sampleOf(path.at(-1))
  const option = (name: string) => readOwn(options, name)
  switch (functionName) {
    case 'truthy':
    case 'defined':
      return [sample, absent, '']
    case 'falsy':
    case 'undefined':
      return [sample, absent]
    case 'pattern':
    case 'casing':
      return typeof sample === 'string' ? [sample, ...words] : words
    case 'enumeration': {
      const values = option('values')
      return Array.isArray(values) ? [values[0], 'other'] : []
    }
    case 'length':
      return listSizes(sample, option('min'), option('max'))
    case 'or':
    case 'xor':
      return listMappings(option('properties'))
    case 'alphabetical': {
      const key = option('keyedBy')
      const toEntry = (word: string) => (typeof key === 'string' ? { [key]: word } : word)
      return [['cats', 'dogs'].map(toEntry), ['dogs', 'cats'].map(toEntry), { cats: {}, dogs: {} }, { dogs: {}, cats: {} }]
    }
    case 'typedEnum':
      return [
        { type: 'string', enum: ['cat', 'dog'] },
        { type: 'string', enum: ['cat', 1] },
      ]
    case 'schema':
      return listForSchema(option('schema'), sample)
    default:
      return []
  }
}

/** Values of the lengths around the limits. */
function listSizes(sample: unknown, min: unknown, max: unknown): readonly unknown[] {
  const sizes = [min, max].flatMap((limit) => (typeof limit === 'number' && limit <= 200 ? [limit, limit + 1, limit - 1] : []))
  const sized = sizes.filter((size) => size >= 0).map((size) => toSize(sample, size))
  return [sample, ...sized]
}

function toSize(sample: unknown, size: number): unknown {
  const entries = Array.from({ length: size }, (_, index) => `pets${index + 1}`)
  if (Array.isArray(sample)) return entries
  if (isObject(sample)) return Object.fromEntries(entries.map((name) => [name, {}]))
  return 'List the pets of the store. '.repeat(Math.ceil(size / 28)).slice(0, size)
}

function listMappings(properties: unknown): readonly unknown[] {
  const names = Array.isArray(properties) ? properties.map(String) : []
  const toMapping = (some: readonly string[]) => Object.fromEntries(some.map((name) => [name, sampleOf(name)]))
  return [toMapping(names.slice(0, 1)), toMapping([]), toMapping(names)]
}

function listForSchema(schema: unknown, sample: unknown): readonly unknown[] {
  const made = fitSchema(schema, sample)
  const allowed = readOwn(schema, 'enum')
  const ofType = [made, ...(Array.isArray(allowed) ? allowed.slice(0, 1) : [])]
  return [sample, ...ofType, [], {}, '', ...words, 'pets', 1, 0, true, null, absent]
}

/** A value that may match a schema. */
function fitSchema(schema: unknown, sample: unknown, depth = 0): unknown {
  const type = readOwn(schema, 'type')
  const properties = readOwn(schema, 'properties')
  const required = readOwn(schema, 'required')
  const fixed = readOwn(schema, 'const') ?? readOwn(readOwn(schema, 'enum'), '0')
  if (fixed !== undefined || depth > 5) return fixed
  if (type === 'object' || Array.isArray(required) || isObject(properties)) {
    const names = Array.isArray(required) ? required.map(String) : []
    return Object.fromEntries(names.map((name) => [name, fitSchema(readOwn(properties, name), sampleOf(name), depth + 1)]))
  }
  if (type === 'array') return [fitSchema(readOwn(schema, 'items'), 'pets', depth + 1)]
  if (type === 'integer' || type === 'number') return readOwn(schema, 'minimum') ?? 1
  return type === 'boolean' ? true : sample
}
