import { expect, test } from 'vitest'
import { objectTables, releases } from '../../src/openapi/tables/object-tables.ts'
import type { OpenApiRelease } from '../../src/openapi/types.ts'
import { isContainer } from '../../src/text/json/json-values.ts'
import { officialObjects } from '../support/oracle.ts'
import { everyField, isIgnored, listValues } from './document-values.ts'

/** The objects of the official schemas with the fields that they name, without those that are not objects of their own. */
function listOfficial(release: OpenApiRelease): { name: string; fields: string[] }[] {
  const parts =
    /^(?:ParameterLocation|parameters|reference|security-scheme|examples|explode-for-form|.*OAuthFlow|ClientCredentialsFlow)$/
  return Object.entries(officialObjects(release))
    .filter(([name]) => !parts.test(name))
    .map(([name, object]) => ({ name, fields: listOfficialFields(object) }))
}

function listOfficialFields(schema: unknown): string[] {
  if (!isContainer(schema)) return []
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) =>
    key === 'properties' ? Object.keys(Object(value)) : key === '$defs' ? [] : listOfficialFields(value),
  )
}

test.each(releases)('the tables of %s have every field of the official schema', (release) => {
  const toName = (name: string) => name.toLowerCase().replace(/[ -]/g, '')
  const tables = new Map([...objectTables(release)].map(([key, table]) => [toName(key), table]))
  const missing = listOfficial(release).flatMap(({ name, fields }) =>
    fields.filter((field) => field !== '$ref' && !tables.get(toName(name))?.fields.has(field)).map((field) => `${name}.${field}`),
  )
  expect(missing).toEqual([])
})

test('the documents have every field', () => {
  const used = new Set(everyField.flatMap((document) => listValues(document).map(({ field }) => field)))
  const tables = releases.flatMap((release) => [...objectTables(release).values()]).filter(({ key }) => !key.startsWith('{'))
  const names = tables.flatMap(({ key, fields }) => [...fields.keys()].map((name) => `${key}.${name}`))
  expect(names.filter((field) => !used.has(field) && !isIgnored(field) && field !== 'OpenAPI.openapi')).toEqual([])
})
