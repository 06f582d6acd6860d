import { describe, expect, test } from 'vitest'
import { readSlice } from '../../src/model/api.ts'
import { mergeSchema } from '../../src/model/schema.ts'
import { childPlace, readsBesideReference } from '../../src/openapi/references/follow-reference.ts'
import { objectTable, releases } from '../../src/openapi/tables/object-tables.ts'
import { readSchema } from '../../src/playground/request/read-schema.ts'
import { compareDocuments } from '../changes/compare-documents.ts'
import { checkValue } from '../support/check-text.ts'

const pet = { $ref: '#/components/schemas/Pet' }
const beside = { maxProperties: 0, description: 'One pet', 'x-hidden': true }

/** A property of a schema and of a response that refers to another schema, with or without other keywords. */
function documentOf(release: string, siblings: object) {
  const owner = { type: 'object', properties: { pet: { ...pet, ...siblings } }, example: { pet: { name: 'Rex' } } }
  const content = { 'application/json': { schema: owner } }
  return {
    openapi: `${release}.0`,
    info: { title: 'Pets', version: '1' },
    paths: { '/pets': { get: { responses: { 200: { description: 'OK', content } } } } },
    components: {
      schemas: {
        Pet: { type: 'object', properties: { name: { type: 'string' } } },
        Owner: owner,
        Alias: { ...pet, ...siblings },
      },
    },
  }
}

describe.each(releases)('keywords beside a `$ref` in OpenAPI %s', (release) => {
  const isRead = release !== '3.0'
  const document = documentOf(release, beside)

  test('are decided in one place, as the tables say', () => {
    expect(readsBesideReference(release)).toBe(isRead)
    expect(objectTable(release, 'Schema').reference).toBe(isRead ? 'beside' : 'replaces')
  })

  test('mean the same to the check, pages, the playground and comparisons', async () => {
    const { findings, follow, description } = await checkValue(document)
    const mismatches = findings.filter(({ code }) => code === 'example-mismatch')
    expect(mismatches.length > 0).toBe(isRead)
    const owner = { file: 'openapi.json', pointer: '', value: document.components.schemas.Owner }
    const property = childPlace(childPlace(owner, 'properties'), 'pet')
    const merged = follow && mergeSchema([property], follow)
    expect(merged?.keywords['maxProperties']).toBe(isRead ? 0 : undefined)
    expect(readSchema(property, readSlice(document).follow).keywords['maxProperties']).toBe(isRead ? 0 : undefined)
    // Words change no value.
    expect(merged?.keywords['description']).toBe('One pet')
    // Extensions are not of OpenAPI.
    const alias = description?.schemas.find(({ name }) => name === 'Alias')
    expect(alias).toMatchObject({ description: isRead ? 'One pet' : undefined, hidden: true })
    const plain = documentOf(release, {})
    const changes = await compareDocuments(JSON.stringify(plain), JSON.stringify(document))
    expect(changes.length > 0).toBe(isRead)
  })
})
