import { expect, test } from 'vitest'
import { checkDescription } from '../../../src/checks/check-description.ts'
import { toLoadDocument } from '../../../src/docs/read/find-docs.ts'
import { joinParts } from '../../../src/docs/update/stored-documents.ts'
import { bundleDescription } from '../../../src/openapi/bundle/bundle-description.ts'
import { isObject, valueAtPointer } from '../../../src/text/json/json-values.ts'
import { defaultLimits } from '../../../src/text/plain/limits.ts'
import { parentPath, relativePath } from '../../../src/text/plain/paths.ts'
import { createMemoryFiles } from '../../support/memory-files.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

const names = ['Pet', 'Owner', 'Toy', 'Tag'] as const
type Name = (typeof names)[number]

/** The file of each schema: the entry document, a separate file, or a shared file. */
type Home = 'entry' | `${string}.yaml` | `${string}.yaml#/${string}`

const homeOf = (name: Name): fc.Arbitrary<Home> =>
  fc.constantFrom<Home>(
    'entry',
    `${name}.yaml`,
    `models/${name}.yaml`,
    'models/Pet.yaml#/x-all/y',
    `models/all.yaml#/${name}`,
    `${name}/Same.yaml`,
  )

const layout = fc.record({
  homes: fc.record({ Pet: homeOf('Pet'), Owner: homeOf('Owner'), Toy: homeOf('Toy'), Tag: homeOf('Tag') }),
  /** Which schemas each one refers to, itself too. */
  uses: fc.record({ Pet: someNames(), Owner: someNames(), Toy: someNames(), Tag: someNames() }),
  /** Those of other files that the entry document names as components all the same. */
  named: fc.subarray([...names]),
  pathItem: fc.constantFrom('entry', 'paths/pets.yaml'),
  version: fc.constantFrom('3.0.4', '3.1.1', '3.2.0'),
})

function someNames(): fc.Arbitrary<Name[]> {
  return fc.subarray([...names])
}

type Layout = typeof layout extends fc.Arbitrary<infer Value> ? Value : never

/** The same description in one file, and in the files of a layout. */
function write({ homes, uses, named, pathItem, version }: Layout) {
  const at = (name: Name): Home => {
    const home = homes[name]
    return home.endsWith('/y') ? `models/Pet.yaml#/x-all/${name}` : home
  }
  const toSchema = (name: Name, refer: (name: Name) => string) => ({
    type: 'object',
    description: name,
    properties: Object.fromEntries(uses[name].map((other) => [other.toLowerCase(), { $ref: refer(other) }])),
    example: { $ref: `${name}.json` },
  })
  const toPathItem = (refer: (name: Name) => string) => ({
    get: {
      responses: {
        200: {
          description: 'ok',
          content: { 'application/json': { schema: { oneOf: names.map((name) => ({ $ref: refer(name) })) } } },
        },
      },
    },
  })
  const head = { openapi: version, info: { title: 'Pets', version: '1' } }
  const inside = (name: Name) => `#/components/schemas/${name}`
  const whole = {
    ...head,
    paths: { '/pets': toPathItem(inside) },
    components: { schemas: Object.fromEntries(names.map((name) => [name, toSchema(name, inside)])) },
  }
  const referFrom = (file: string) => (name: Name) => {
    const home = at(name)
    if (home === 'entry')
      return file === 'openapi.yaml' ? inside(name) : relativePath(parentPath(file), 'openapi.yaml') + inside(name)
    const [path = '', fragment] = home.split('#')
    const address = path === file ? '' : relativePath(parentPath(file), path)
    return fragment === undefined && address !== '' ? address : `${address}#${fragment ?? ''}`
  }
  const files: { [path: string]: { [key: string]: unknown } } = {}
  const schemas: { [name: string]: unknown } = {}
  for (const name of names) {
    const home = at(name)
    const [path = '', fragment] = home.split('#')
    if (home === 'entry') schemas[name] = toSchema(name, referFrom('openapi.yaml'))
    else if (named.includes(name)) schemas[name] = { $ref: referFrom('openapi.yaml')(name) }
    if (home === 'entry') continue
    const schema = toSchema(name, referFrom(path))
    const file = files[path] ?? {}
    if (fragment === undefined) files[path] = { ...file, ...schema }
    else if (fragment.startsWith('/x-all'))
      files[path] = { ...file, 'x-all': { ...(isObject(file['x-all']) ? file['x-all'] : {}), [name]: schema } }
    else files[path] = { ...file, [name]: schema }
  }
  const isApart = pathItem !== 'entry'
  if (isApart) files[pathItem] = toPathItem(referFrom(pathItem))
  files['openapi.yaml'] = {
    ...head,
    paths: { '/pets': isApart ? { $ref: pathItem } : toPathItem(referFrom('openapi.yaml')) },
    components: { schemas },
  }
  return { whole, files }
}

function without(value: unknown, left: string): unknown {
  return JSON.parse(JSON.stringify(value, (key, entry) => (key === left ? undefined : entry)))
}

/** Compares what two documents say, references within each followed. */
function expectSame(left: unknown, right: unknown): void {
  const seen = new Map<unknown, Set<unknown>>()
  const follow = (document: unknown, value: unknown) => {
    let target = value
    while (isObject(target) && typeof target['$ref'] === 'string' && target['$ref'].startsWith('#')) {
      const next = valueAtPointer(document, decodeURIComponent(target['$ref'].slice(1)))
      if (next === undefined) throw new Error(`nothing at ${target['$ref']}`)
      target = next
    }
    return target
  }
  const compare = (a: unknown, b: unknown, pointer: string): void => {
    const [x, y] = [follow(left, a), follow(right, b)]
    if (typeof x !== 'object' || typeof y !== 'object' || x === null || y === null) {
      expect([pointer, y]).toEqual([pointer, x])
      return
    }
    if (seen.get(x)?.has(y)) return
    seen.set(x, (seen.get(x) ?? new Set()).add(y))
    expect([pointer, Object.keys(y).sort()]).toEqual([pointer, Object.keys(x).sort()])
    for (const [key, entry] of Object.entries(x))
      compare(entry, Object.entries(y).find(([name]) => name === key)?.[1], `${pointer}/${key}`)
  }
  const paths = (document: unknown) => (isObject(document) ? document['paths'] : undefined)
  compare(paths(left), paths(right), '')
}

async function bundle(files: { readonly [path: string]: unknown }): Promise<unknown> {
  const texts = Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)])
  const memory = createMemoryFiles(Object.fromEntries(texts))
  const load = toLoadDocument(
    { files: memory, fetchDocument: () => Promise.reject(new Error('no network')) },
    'openapi.yaml',
    defaultLimits,
  )
  const check = await checkDescription('openapi.yaml', load)
  const made = await bundleDescription(check, load)
  if (!made) throw new Error(check.findings.map(({ message }) => message).join('\n'))
  // What an extension holds stays with it too, beside being a component.
  return without(await joinParts(made), 'x-all')
}

/** The same value with all lists and keys in the opposite order. */
function reverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverse).reverse()
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, entry]) => [key, reverse(entry)])
      .reverse(),
  )
}

/** The description of each component. */
function listComponents(document: unknown): string[] {
  const schemas = valueAtPointer(document, '/components/schemas')
  return Object.entries(Object(schemas))
    .map(([name, schema]) => `${name}: ${Object(schema).description}`)
    .sort()
}

test('a description that is written in many files says the same as its bundle', async () => {
  const numRuns = propertyRuns(30)
  await fc.assert(
    fc.asyncProperty(layout, async (chosen) => {
      const { whole, files } = write(chosen)
      const bundled = await bundle(files)
      expectSame(whole, bundled)
      expect(JSON.stringify(bundled)).not.toMatch(/"\$ref":"[^#"]*\.yaml/)
      const reversed = Object.fromEntries(Object.entries(files).map(([path, value]) => [path, reverse(value)]))
      expect(listComponents(await bundle(reversed))).toEqual(listComponents(bundled))
    }),
    { numRuns },
  )
}, 3_600_000)
