import { expect, test } from 'vitest'
import { checkDescription } from '../../src/checks/check-description.ts'
import { isDeeperThan } from '../../src/text/json/json-values.ts'
import { limitBounds } from '../../src/text/plain/limits.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

// The deepest document that `check` accepts passes every command. No reader of a description needs a limit of its own.

const limit = limitBounds.nesting.most

/** Makes something with exactly this many levels of lists and mappings. */
type Make = (levels: number) => unknown

/** Repeats what adds `perLevel` levels around what has at least 3. */
function nest(perLevel: number, wrap: (inner: unknown) => unknown, innermost: Make): Make {
  return (levels) => {
    const count = Math.floor((levels - 3) / perLevel)
    let made = innermost(levels - count * perLevel)
    for (let index = 0; index < count; index++) made = wrap(made)
    return made
  }
}

const list: Make = (levels) => Array.from({ length: levels - 1 }).reduce((inner) => [inner], [])
const mapping: Make = (levels) => Array.from({ length: levels - 1 }).reduce((inner) => ({ a: inner }), {})
const mixed: Make = (levels) => (levels % 2 === 0 ? [mapping(levels - 1)] : { a: list(levels - 1) })

/** A schema or an operation of a document, from the level of its value on. */
type Part = { readonly schema: unknown } | { readonly operation: unknown }

/** The levels around a schema or an operation. */
const around = 3

/** Parts of documents with something deep, by what it is. `type` is that of the innermost schema. */
function listDeep(type: string): Readonly<Record<string, (levels: number) => Part>> {
  const innermost: Make = (levels) =>
    Array.from({ length: levels - 1 }).reduce<object>((items) => ({ type: 'array', items }), { type })
  const inSchema = (perLevel: number, wrap: (inner: unknown) => object) => {
    const make = nest(perLevel, wrap, innermost)
    return (levels: number) => ({ schema: make(levels) })
  }
  const inValue = (above: number, wrap: (value: unknown) => object) => (levels: number) => ({
    schema: wrap(mixed(levels - above)),
  })
  const inOperation = (above: number, wrap: (value: unknown) => object) => (levels: number) => ({
    operation: toOperation(wrap(mixed(levels - above))),
  })
  const body = (mediaType: object) => ({ requestBody: { content: { 'application/json': mediaType } } })
  const callbacks = nest(
    4,
    (inner) => toOperation({ callbacks: { c: { '{$request.body#/u}': { post: inner } } } }),
    (levels) => toOperation({ 'x-value': mixed(levels - 1) }),
  )
  return {
    properties: inSchema(2, (inner) => ({ type: 'object', properties: { a: inner }, required: ['a'] })),
    items: inSchema(1, (items) => ({ type: 'array', items, minItems: 1 })),
    prefixItems: inSchema(2, (inner) => ({ prefixItems: [inner] })),
    contains: inSchema(1, (contains) => ({ contains })),
    additionalProperties: inSchema(1, (inner) => ({ additionalProperties: inner })),
    patternProperties: inSchema(2, (inner) => ({ patternProperties: { '^a': inner } })),
    propertyNames: inSchema(1, (propertyNames) => ({ propertyNames })),
    unevaluatedProperties: inSchema(1, (inner) => ({ unevaluatedProperties: inner })),
    dependentSchemas: inSchema(2, (inner) => ({ dependentSchemas: { a: inner } })),
    allOf: inSchema(2, (inner) => ({ allOf: [inner] })),
    'allOf of two': inSchema(2, (inner) => ({ allOf: [{ type: 'object' }, inner] })),
    anyOf: inSchema(2, (inner) => ({ anyOf: [inner, { type: 'string' }] })),
    oneOf: inSchema(2, (inner) => ({ oneOf: [{ type: 'string' }, inner] })),
    not: inSchema(1, (not) => ({ not })),
    'if of a condition': inSchema(1, (inner) => ({ if: inner, else: { type: 'string' } })),
    'then of a condition': inSchema(1, (inner) => JSON.parse(`{ "if": {}, "then": ${JSON.stringify(inner)} }`)),
    'else of a condition': inSchema(1, (inner) => ({ if: { type: 'string' }, else: inner })),
    $defs: inSchema(2, (inner) => ({ $defs: { a: inner } })),
    'keywords in turn': inSchema(6, (inner) => ({ allOf: [{ properties: { a: { oneOf: [inner] } } }] })),
    'an example of a schema': inValue(1, (example) => ({ example })),
    'examples of a schema': inValue(2, (value) => ({ examples: [value] })),
    'a default': inValue(1, (value) => ({ default: value })),
    'a constant': inValue(1, (value) => ({ const: value })),
    'values of an enum': inValue(2, (value) => ({ enum: [value] })),
    'an extension of a schema': inValue(1, (value) => ({ 'x-value': value })),
    'an example of a body': inOperation(4, (example) => body({ example })),
    'examples of a body': inOperation(6, (value) => body({ examples: { a: { value } } })),
    'an example of a parameter': inOperation(3, (example) => ({ parameters: [{ name: 'a', in: 'query', schema: {}, example }] })),
    'links with a body': inOperation(5, (requestBody) => ({
      responses: { 200: { description: 'Good', links: { a: { operationId: 'o', requestBody } } } },
    })),
    'the body of a link': inOperation(5, (requestBody) => ({
      responses: { 200: { description: 'Good', links: { a: { operationId: 'o', requestBody } } } },
    })),
    'an extension of an operation': inOperation(1, (value) => ({ 'x-value': value })),
    callbacks: (levels) => ({ operation: callbacks(levels) }),
  }
}

function toOperation(more: object): object {
  return { summary: 'S', responses: { 200: { description: 'Good' } }, ...more }
}

/** A document of so many levels with these parts. All schemas are used. */
function toDocument(names: readonly string[], levels: number, type = 'string'): string {
  const paths: [string, object][] = []
  const schemas: [string, unknown][] = []
  for (const [index, name] of names.entries()) {
    const part = listDeep(type)[name]?.(levels - around) ?? { schema: {} }
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/S${index}` } } }
    const user = toOperation({ requestBody: { content }, responses: { 200: { description: 'Good', content } } })
    paths.push([`/a${index}`, { post: 'operation' in part ? part.operation : user }])
    if ('schema' in part) schemas.push([`S${index}`, part.schema])
  }
  const components = { schemas: Object.fromEntries(schemas) }
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: Object.fromEntries(paths), components })
}

/** A file is read as JSON if it starts like it. */
const asYaml = '# YAML\n'

const names = Object.keys(listDeep('string'))

test.each(names)('%s: one level more than the limit is too complex', async (name) => {
  const codesOf = async (levels: number, before: string) => {
    const bytes = new TextEncoder().encode(before + toDocument([name], levels))
    const { findings } = await checkDescription('a.yaml', async () => ({ kind: 'loaded', bytes }))
    return findings.map(({ code }) => code)
  }
  for (const before of ['', asYaml]) {
    expect(await codesOf(limit, before)).not.toContain('too-complex')
    expect(await codesOf(limit + 1, before)).toContain('too-complex')
  }
  expect(isDeeperThan(JSON.parse(toDocument([name], limit)), limit - 1)).toBe(true)
})

const commands = [
  ['check', 'a.json', 'b.yaml'],
  ['openapi-file', 'a.json'],
  ['bundle', 'a.json', '-o', 'bundled.json'],
  ['bundle', 'b.yaml', '--audience', 'public', '-o', 'public.yaml'],
  ['changes', 'a.json', 'b.yaml'],
  ['update'],
  ['check'],
  ['build', '.', '-o', 'docs-site'],
] as const

/** The last one would overflow recursive code. */
const depths = [limit, limit + 1, 3_000]

test.each(depths)('every command reads documents of %s levels, or says that they are too complex', async (levels) => {
  const folder = makeTemporaryFolder({
    'a.json': toDocument(names, levels),
    'b.yaml': asYaml + toDocument(names, levels, 'integer'),
    'docs.json': JSON.stringify({
      name: 'T',
      navigation: { groups: [{ group: 'G', openapi: 'a.json', pages: ['page'] }] },
      'x-value': mixed(limit - 1),
    }),
    'page.mdx': `---\ntitle: Page\ndeep: ${JSON.stringify(mixed(limit - 1))}\n---\n\nText\n`,
  })
  for (const command of commands) {
    const { exitCode, stdout, stderr } = await runInFolder(folder, command)
    const text = stdout + stderr
    expect(text).not.toMatch(/RangeError|unexpected error|call stack/i)
    const isRead = exitCode === 0 && !text.includes('too-complex')
    expect([command.join(' '), isRead], text.slice(0, 500)).toEqual([command.join(' '), levels <= limit])
  }
})
