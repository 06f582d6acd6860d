import { isContainer, isObject, readOwn } from '../../../source/is-object.ts'
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
  ['requestBody', { content: { 'application/json': { schema: { type: 'object' } } } }],
  ['parameters', [{ name: 'limit', in: 'query', schema: { type: 'integer' } }]],
  ['schema', { type: 'string' }],
  ['items', { type: 'string' }],
  ['properties', { name: { type: 'string' } }],
  ['type', 'string'],
  ['enum', ['cat', 'dog']],
  ['example', 'cat'],
  ['deprecated', true],
  ['format', 'date-time'],
  ['pattern', '^[a-z]+$'],
  ['default', 'cat'],
  ['maximum', 100],
  ['minimum', 1],
  ['additionalProperties', false],
  ['content', { 'application/json': { schema: { type: 'object' } } }],
  ['examples', { cat: { value: 'cat' } }],
  ['externalDocs', { url: 'https://example.com' }],
])

/** Values for the entries of mappings and for the fields of some objects, by the key of the mapping or object. */
const innerSamples: ReadonlyMap<string, (name: string) => unknown> = new Map<string, (name: string) => unknown>([
  ['contact', (name) => (name === 'name' ? 'API team' : undefined)],
  ['license', (name) => (name === 'name' ? 'MIT' : undefined)],
  ['responses', (name) => (name === '@key' ? '200' : ok)],
  ['content', (name) => (name === '@key' ? 'application/json' : { schema: { type: 'object' } })],
  ['paths', (name) => (name === '@key' ? '/pets' : {})],
  ['headers', (name) => (name === '@key' ? 'Pet-Count' : { schema: { type: 'integer' } })],
  ['schemas', (name) => (name === '@key' ? 'Pet' : { type: 'object' })],
  ['properties', (name) => (name === '@key' ? 'petName' : { type: 'string' })],
])

const ok = { description: 'OK' }

function sampleAt(path: Path): unknown {
  const name = String(path.at(-1) ?? '')
  // `properties` of a schema can have any name.
  const around = path.findLast((key, index) => index < path.length - 1 && typeof key === 'string')
  const inner = innerSamples.get(String(around ?? ''))?.(name)
  if (inner !== undefined) return inner
  if (/^(?:[1-5](?:\d\d|XX))$/.test(name)) return ok
  return samples.get(name) ?? (/^(?:min|max)[A-Z]/.test(name) ? 10 : 'pets')
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

/** The words, those of the same kind as a sample first: one that a rule does not accept is then like what people write. */
function sortWords(sample: string): readonly string[] {
  const kind = kindOf(sample)
  return [...words.filter((word) => kindOf(word) === kind), ...words.filter((word) => kindOf(word) !== kind)]
}

function kindOf(word: string): string {
  if (/^https?:/.test(word)) return 'URL'
  if (word.startsWith('/')) return 'path'
  if (/^\d{3}$/.test(word)) return 'status'
  if (/^v?\d/.test(word)) return 'version'
  return word.includes('/') ? 'media type' : 'name'
}

/**
 * Values that a rule may accept or not. Whoever shows one as an example has to apply the rule to it first.
 *
 * @param path of the value in the example, which decides what it looks like.
 */
export function listSampleValues({ functionName, options }: RuleAction, path: Path): readonly unknown[] {
  const sample = sampleAt(path)
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
      return typeof sample === 'string' ? [sample, ...sortWords(sample)] : words
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
  const limits = [min, max].filter((limit) => typeof limit === 'number' && limit <= 2_000) as readonly number[]
  // Whole words look like a description. Short ranges need an exact length.
  const texts = limits.flatMap((limit) => [toText(limit - 1, 'at most'), toText(limit + 1, 'at least')])
  const sizes = limits.filter((limit) => limit <= 200).flatMap((limit) => [limit, limit + 1, limit - 1])
  const sized = sizes.filter((size) => size >= 0).map((size) => toSize(sample, size))
  return [sample, ...(typeof sample === 'string' ? texts : []), ...sized]
}

const sentence = 'Lists the pets of the store. '

function toText(length: number, how: 'at most' | 'at least'): string {
  const long = sentence.repeat(Math.ceil((length + 1) / sentence.length) + 1)
  const end = how === 'at most' ? long.lastIndexOf(' ', Math.max(0, length)) : long.indexOf(' ', length)
  return long.slice(0, Math.max(0, end)).trim()
}

function toSize(sample: unknown, size: number): unknown {
  const entries = Array.from({ length: size }, (_, index) => `pets${index + 1}`)
  if (Array.isArray(sample)) return entries
  if (isObject(sample)) return Object.fromEntries(entries.map((name) => [name, {}]))
  return sentence.repeat(Math.ceil(size / sentence.length)).slice(0, size)
}

function listMappings(properties: unknown): readonly unknown[] {
  const names = Array.isArray(properties) ? properties.map(String) : []
  const toMapping = (some: readonly string[]) => Object.fromEntries(some.map((name) => [name, sampleAt([name])]))
  return [toMapping(names.slice(0, 1)), toMapping([]), toMapping(names)]
}

function listForSchema(schema: unknown, sample: unknown): readonly unknown[] {
  const made = fitSchema(schema, sample)
  const allowed = readOwn(schema, 'enum')
  const ofType = [made, ...(Array.isArray(allowed) ? allowed.slice(0, 1) : [])]
  const empty = Array.isArray(made) ? [[], {}] : [{}, []]
  // An empty list or mapping lacks what the schema requires, and a sample of another type would only be an odd mistake.
  const first = isContainer(made) && !isContainer(sample) ? [...ofType, ...empty, sample] : [sample, ...ofType, ...empty]
  return [...first, '', ...words, 'pets', 1, 0, true, null, absent]
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
    return Object.fromEntries(names.map((name) => [name, fitSchema(readOwn(properties, name), sampleAt([name]), depth + 1)]))
  }
  if (type === 'array') return [fitSchema(readOwn(schema, 'items'), 'pets', depth + 1)]
  if (type === 'integer' || type === 'number') return readOwn(schema, 'minimum') ?? 1
  return type === 'boolean' ? true : sample
}
