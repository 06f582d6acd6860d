import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { type DiagnosticCode, diagnosticCodes } from '../../../src/diagnostics/diagnostic.ts'
import { findBlockingCode } from '../../../src/diagnostics/finish-diagnostics.ts'
import { configSchemaUrl } from '../../../src/docs/config/config-files.ts'
import { defaultConfig, parseConfig } from '../../../src/docs/config/project-config.ts'
import { isObject } from '../../../src/text/json/json-values.ts'
import { parseSource } from '../../../src/text/parse-source.ts'
import { projectFolder } from '../../support/action-harness.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

const schemaText = readFileSync(join(projectFolder, 'docs/schemas/config.schema.json'), 'utf8')
const schema = JSON.parse(schemaText) as { readonly $id: string; readonly properties: { readonly [key: string]: object } } // Checked by ajv.
const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(schema)

/** Whether the program reads the text without errors. */
async function isRead(text: string, path = 'openapi-pages.config.yaml'): Promise<boolean> {
  const { findings } = await parseConfig({ path, text })
  return findings.every(({ code, severity }) => (severity ?? diagnosticCodes[code].severity) !== 'error')
}

/** Each leaf of the schema with its path. */
function listSettings(value: unknown, path: string): { readonly path: string; readonly schema: object }[] {
  if (!isObject(value)) return []
  const { properties } = value
  if (!isObject(properties)) return [{ path, schema: value }]
  return Object.entries(properties).flatMap(([key, child]) => listSettings(child, `${path}/${key}`))
}

test('has a description of every setting', () => {
  expect(schema.$id).toBe(configSchemaUrl)
  expect(Object.keys(schema.properties).sort()).toEqual(['$schema', ...Object.keys(defaultConfig)].sort())
  const bare = listSettings(schema, '').filter(
    ({ schema: { description, $ref } }: { schema: { description?: string; $ref?: string } }) => !description && !$ref,
  )
  expect(bare).toEqual([])
})

describe('agrees with the parser about', () => {
  const files = globSync(
    ['docs/*.config.yaml', 'test/fixtures/**/openapi-pages.config.{yaml,json}', 'examples/**/openapi-pages.config.yaml'],
    {
      cwd: projectFolder,
    },
  )
  const blocks = globSync('{README.md,docs/*.md}', { cwd: projectFolder }).flatMap((path) =>
    Array.from(
      readFileSync(join(projectFolder, path), 'utf8').matchAll(
        /^```yaml\n((?:#.*\n)*(?:\$schema|materialize|order|unlisted|schemas|overviews|sources|update|github|site|changes|limits|rules|ignore|baseline):[\s\S]*?)^```/gm,
      ),
      ([, text = ''], index): [string, string] => [`${path}, example ${index + 1}`, text],
      // Jobs of GitLab CI can have the same names.
    ).filter(([, text]) => !/^ +script:/m.test(text)),
  )
  const examples = [...files.map((path): [string, string] => [path, readFileSync(join(projectFolder, path), 'utf8')]), ...blocks]

  test.each(examples)('%s', async (path, text) => {
    const { value } = await parseSource({ path, text })
    // An empty file has no value.
    expect([validate(value ?? null), validate.errors ?? []]).toEqual([true, []])
    expect(await isRead(text)).toBe(true)
  })

  test('files and examples of the documentation', () => {
    expect(files.length).toBeGreaterThan(3)
    expect(blocks.length).toBeGreaterThan(5)
  })

  test.each<[unknown, boolean]>([
    [null, true],
    [[], false],
    [{ $schema: configSchemaUrl, materialize: { API: false } }, true],
    [{ $schema: 1 }, false],
    [{ materialise: true }, false],
    [{ materialize: 'yes' }, false],
    [{ order: { API: 'alphabetical' } }, true],
    [{ overviews: 'all' }, false],
    [{ schemas: ['Pet*'] }, true],
    [{ schemas: [1] }, false],
    [{ unlisted: ['add'] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'openapi.yaml' }] }, true],
    [{ sources: [{ repository: 'acme/api.js', ref: 'release/1.x', path: './a b/openapi', to: 'api/v1/pets.JSON' }] }, true],
    [{ sources: { repository: 'acme/api', path: 'openapi.yaml' } }, false],
    [{ sources: [{ path: 'openapi.yaml' }] }, false],
    [{ sources: [{ repository: 'acme/api' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'openapi' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'a/.openapi.yaml' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'a/.openapi.yaml', to: 'b.yml' }] }, true],
    [{ sources: [{ repository: 'https://github.com/acme/api', path: 'openapi.yaml' }] }, false],
    [{ sources: [{ repository: 'acme/..', path: 'openapi.yaml' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: '/openapi.yaml' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'a/../openapi.yaml' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'a.yaml', ref: '--upload-pack=x' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'a.yaml', ref: 'a..b' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'a.yaml', to: '../x.yaml' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'a.yaml', to: '/x.yaml' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'a.yaml', to: 'C:x.yaml' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'a.yaml', to: '.github/workflows/x.yml' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'a.yaml', to: 'api\\x.yaml' }] }, false],
    [{ sources: [{ repository: 'acme/api', path: 'a.yaml', to: 'api' }] }, false],
    [{ sources: [{ repository: 'acme/web', path: 'web.yaml', kind: 'document' }] }, true],
    [{ sources: [{ repository: 'acme/web', path: 'clients/web.yaml', kind: 'clients' }] }, false],
    [{ sources: [{ repository: 'acme/web', path: 'clients/web.yaml', kind: 'clients', public: false }] }, false],
    [{ sources: [{ repository: 'acme/web', path: 'clients/web.yaml', kind: 'clients', public: true }] }, true],
    [{ sources: [{ repository: 'acme/web', path: 'clients/web.yaml', kind: 'clients', to: 'partner.yaml' }] }, true],
    [{ sources: [{ repository: 'acme/web', path: 'web.yaml', kind: 'client', to: 'a.yaml' }] }, false],
    [{ sources: [{ repository: 'acme/web', path: 'web.yaml', public: 'yes' }] }, false],
    [{ github: { check: false } }, true],
    [{ github: { check: true } }, false],
    [{ github: { forkPreview: 'always' } }, false],
    [{ site: { publish: 'off' } }, false],
    [{ changes: { levels: { 'response-added': 'off' }, tags: 'v*' } }, true],
    [{ changes: { levels: { 'response-add': 'off' } } }, false],
    [{ changes: { tags: 'v' } }, false],
    [{ limits: { 'document-size': '1 MiB', 'fetch-time': 5, nesting: '10' } }, true],
    [{ limits: { 'document-size': 1024 } }, false],
    [{ limits: { nesting: 9 } }, false],
    [{ limits: { nesting: 1.5 } }, false],
    [{ rules: { 'unused-component': 'off', 'missing-field': 'error' } }, true],
    [{ rules: { 'missing-field': 'off' } }, false],
    [{ rules: { 'security-scheme': 'warning' } }, true],
    [{ rules: { 'security-scheme': 'info' } }, false],
    [{ rules: { 'operation-description': 'off' } }, true],
    [{ rules: { 'operation-description': 'warn' } }, false],
    [{ ignore: [{ code: 'unused-component', path: 'a/**', pointer: '/paths' }] }, true],
    [{ ignore: [{ rule: 'operation-description' }] }, true],
    [{ ignore: [{ rule: '' }] }, false],
    [{ ignore: [{}] }, false],
    [{ ignore: [{ pointer: 'paths' }] }, false],
    [{ baseline: 'a/b.json' }, true],
    [{ baseline: '/a.json' }, false],
    [{ other: true }, false],
  ])('%j', async (value, expected) => {
    expect([validate(value), await isRead(JSON.stringify(value))]).toEqual([expected, expected])
  })

  test('every severity of every rule', async () => {
    for (const code of Object.keys(diagnosticCodes) as DiagnosticCode[]) {
      const blocking = findBlockingCode(code)
      const expected = blocking ? (blocking.mayBeWarning ? ['warning', 'error'] : ['error']) : ['off', 'info', 'warning', 'error']
      const allowed = ['off', 'info', 'warning', 'error', 'fatal'].filter((severity) => validate({ rules: { [code]: severity } }))
      expect(allowed).toEqual(expected)
    }
  })

  test('random values of all settings', async () => {
    const scalar = fc.constantFrom<unknown>(
      true,
      false,
      null,
      0,
      1,
      'off',
      'failure',
      'tags',
      'site',
      'add',
      'always',
      'breaking',
      'v*',
      '10',
      '1 MiB',
      '/a',
    )
    const [keys, nested] = [
      Object.keys(schema.properties),
      listSettings(schema, '').map(({ path }) => path.slice(path.lastIndexOf('/') + 1)),
    ]
    const value = fc.oneof(
      scalar,
      fc.array(scalar, { maxLength: 2 }),
      fc.dictionary(fc.constantFrom(...nested), scalar, { maxKeys: 2 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 3 }), async (config) => {
        if (!validate(config)) expect(await isRead(JSON.stringify(config))).toBe(false)
      }),
      { numRuns: propertyRuns(500) },
    )
  })
})
