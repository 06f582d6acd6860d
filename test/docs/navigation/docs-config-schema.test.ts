import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { diagnosticCodes } from '../../../src/diagnostics/diagnostic.ts'
import { divisionKeys, docsConfigKeys } from '../../../src/docs/navigation/key-support.ts'
import { parseDocsConfig } from '../../../src/docs/navigation/parse-docs-config.ts'
import { divisionLists } from '../../../src/docs/navigation/read-divisions.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

const text = readFileSync(new URL('../../../docs/schemas/docs.schema.json', import.meta.url), 'utf8')
// The file is maintained here, and the validator checks it strictly.
const schema = JSON.parse(text) as { $defs: Record<string, { properties?: object }>; properties: object }
const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(schema)

async function isRead(value: unknown): Promise<boolean> {
  const { findings } = await parseDocsConfig({ path: 'docs.json', text: JSON.stringify(value) })
  return findings.every(({ code, severity }) => (severity ?? diagnosticCodes[code].severity) !== 'error')
}

describe('the published docs.json schema agrees with the parser for', () => {
  test.each<[string, unknown, boolean]>([
    ['no navigation', {}, false],
    ['a list', [], false],
    ['an empty navigation', { navigation: {} }, true],
    ['unknown keys', { navigation: { x: 1, tabs: [{ tab: 'A', y: [] }] }, z: null }, true],
    ['a label that is not a string', { navigation: { tabs: [{ tab: 1 }] } }, false],
    ['pages of other types', { navigation: { pages: [1] } }, false],
    ['a group among pages', { navigation: { pages: [{ group: 'A', pages: ['a', { group: 'B' }] }] } }, true],
    ['an object instead of a list', { navigation: { languages: {} } }, false],
    ['every form of `openapi`', { navigation: { openapi: ['a', { source: 'b', directory: '' }, 'https://x.org/a.json'] } }, true],
    ['a document without source', { navigation: { openapi: { directory: 'x' } } }, false],
    ['a URL with an unsupported scheme', { navigation: { openapi: 'ftp://x.org/a.json' } }, false],
    ['an empty document path', { navigation: { openapi: ' ./ ' } }, false],
    ['a directory outside the docs directory', { navigation: {}, api: { openapi: { source: 'a', directory: './../x' } } }, false],
    ['`api` that is not an object', { navigation: {}, api: 'a.yaml' }, false],
  ])('%s', async (_, value, expected) => {
    expect([validate(value), await isRead(value)]).toEqual([expected, expected])
  })

  test('randomly broken input', async () => {
    const mostly = <Value>(good: fc.Arbitrary<Value>, ...bad: readonly unknown[]): fc.Arbitrary<unknown> =>
      fc.oneof({ weight: 30, arbitrary: good }, { weight: 1, arbitrary: fc.constantFrom(...bad) })
    const location = mostly(fc.constantFrom('a.yaml', '/b.json', './c', 'https://x.org/d'), 'ftp://x.org', '', ' ', '.', 1)
    const directory = mostly(fc.constantFrom('x', '', '/y/'), '../z', 1)
    const object = fc.record({ source: location, directory, more: fc.boolean() }, { requiredKeys: ['source'] })
    const document = mostly(fc.oneof(location, object), null, 1, [], {})
    const openapi = fc.oneof(document, fc.array(document, { maxLength: 3 }))
    const divisionOf = (depth: number): fc.Arbitrary<unknown> => {
      const child = depth === 0 ? fc.constant({}) : divisionOf(depth - 1)
      const parts = {
        openapi,
        list: fc.tuple(
          fc.constantFrom(...Object.keys(divisionLists)),
          mostly(fc.array(mostly(child, 'x', null), { maxLength: 2 }), {}, 'x'),
        ),
        pages: mostly(fc.array(mostly(fc.oneof(fc.constantFrom('a', 'GET /b'), child), 1, null), { maxLength: 2 }), 'x'),
        label: fc.tuple(fc.constantFrom(...Object.values(divisionLists)), mostly(fc.constantFrom('A', 'B'), 1, null)),
      }
      return fc.record(parts, { requiredKeys: [] }).map(({ list, label, ...rest }) => {
        return { ...rest, ...(label ? { [label[0]]: label[1] } : {}), ...(list ? { [list[0]]: list[1] } : {}) }
      })
    }
    const docs = fc.record(
      {
        navigation: mostly(divisionOf(3), [], 'x', null),
        api: mostly(fc.record({ openapi }, { requiredKeys: [] }), 'x'),
        name: fc.json(),
      },
      { requiredKeys: ['navigation'] },
    )
    const numRuns = propertyRuns(30)
    let valid = 0
    await fc.assert(
      fc.asyncProperty(docs, async (made) => {
        const value: unknown = JSON.parse(JSON.stringify(made) ?? '{}')
        const verdict = validate(value)
        if (verdict) valid++
        expect(await isRead(value)).toBe(verdict)
      }),
      { numRuns },
    )
    expect(valid).toBeGreaterThan(numRuns / 10)
  })
})

test('the schema has every known key', () => {
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining([...docsConfigKeys]))
  for (const kind of ['navigation', ...Object.values(divisionLists)] as const) {
    expect(Object.keys(schema.$defs[kind]?.properties ?? {}), kind).toEqual(expect.arrayContaining([...divisionKeys(kind)]))
  }
})
