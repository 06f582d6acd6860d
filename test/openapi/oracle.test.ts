import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/diagnostics/diagnostic.ts'
import { releases } from '../../src/openapi/tables/object-tables.ts'
import type { OpenApiRelease } from '../../src/openapi/types.ts'
import { checkValue } from '../support/check-text.ts'
import { oracleErrors } from '../support/oracle.ts'
import { fc, propertyRuns, seed } from '../support/properties.ts'
import { documentWith } from './documents.ts'
import { mutatedDocument } from './mutated-document.ts'
import { expectedCodes, objectCases } from './object-cases.ts'

/** Codes that the official schemas check too. A misplaced `$ref` is only a warning here, but the schemas reject it. */
const structural: ReadonlySet<string> = new Set([
  'unsupported-version',
  'unknown-field',
  'missing-field',
  'wrong-type',
  'wrong-value',
  'wrong-format',
  'wrong-name',
  'entry-unique',
  'field-conflict',
  'reference-misplaced',
])

/** What the checks report that see the whole description, which an object in its small document has little of. */
const overSeveralObjects: ReadonlySet<string> = new Set([
  'security-scheme',
  'security-scope',
  'server-variable',
  'path-parameter',
  'unused-component',
  'link-target',
  'discriminator-mapping',
  'discriminator-property',
  'tag-parent',
  'example-mismatch',
  'default-mismatch',
  'enum-mismatch',
])

/** What the official schema of a release judges. That of 3.0 passes over odd names of components, and unknown fields of discriminators. */
function structuralFindings(release: OpenApiRelease, findings: readonly Finding[]): Finding[] {
  return findings.filter(({ code, pointer, severity }) => {
    const name = /^\/components\/[^/]+\/([^/]+)/.exec(pointer)?.[1]
    const isOddName = name !== undefined && !/^[a-zA-Z0-9._-]+$/.test(name)
    const passedOver = release === '3.0' && (isOddName || (code === 'unknown-field' && pointer.includes('/discriminator/')))
    return structural.has(code) && (severity !== 'warning' || code === 'reference-misplaced') && !passedOver
  })
}

describe.each(releases.map((release, index) => ({ release, index })))('OpenAPI $release', ({ release, index }) => {
  const cases = objectCases.flatMap(([place, value, expected]) => {
    const codes = expectedCodes(expected, index)
    return codes === undefined ? [] : [{ place, value, codes }]
  })

  test.each(cases)('$place $value: $codes', async ({ place, value, codes }) => {
    const document = documentWith(release, place, value)
    const { findings } = await checkValue(document)
    const own = findings.filter(({ code }) => !overSeveralObjects.has(code))
    expect(own.map(({ code }) => code).sort()).toEqual(codes)
    expect(oracleErrors(release, document).length > 0).toBe(structuralFindings(release, findings).length > 0)
  })
})

test('agrees with the official schemas on mutated documents', async () => {
  const numRuns = propertyRuns(200)
  const runs = { valid: 0, invalid: 0 }
  await fc.assert(
    fc.asyncProperty(mutatedDocument, async ({ release, document }) => {
      const expected = oracleErrors(release, document)
      const { findings } = await checkValue(document)
      const found = structuralFindings(release, findings)
      if (expected.length === 0) runs.valid++
      else runs.invalid++
      if (expected.length > 0 === found.length > 0) return
      const ours = found.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`).join('\n')
      throw new Error(`official schema: ${expected.join('; ') || 'valid'}\nours: ${ours || 'valid'}`)
    }),
    { numRuns },
  )
  console.log(`seed ${seed}: ${runs.valid} valid, ${runs.invalid} invalid, no disagreement`)
}, 3_600_000)
