import SwaggerParser from '@apidevtools/swagger-parser'
import { Ajv } from 'ajv'
import { expect, onTestFinished, test, vi } from 'vitest'
import { diagnosticCodes, type Finding } from '../../src/diagnostics/diagnostic.ts'
import { checkValue } from '../support/check-text.ts'
import { type DocumentPlace, documentWith } from './documents.ts'
import { expectedCodes, objectCases } from './object-cases.ts'

/** A document on whose validity swagger-parser and our check disagree. */
interface Difference {
  readonly release: '3.0' | '3.1'
  readonly place: DocumentPlace
  readonly value: unknown
  /** The codes of our errors; none where only swagger-parser rejects the document. */
  readonly codes: readonly string[]
}

type Reason = readonly [reason: string, applies: (difference: Difference) => boolean]

/** Documents that we reject and swagger-parser 13.1.0 accepts. The first reason that applies counts. */
const missedByParser: readonly Reason[] = [
  ['does not look into Schema Objects of 3.1', ({ release, place }) => release === '3.1' && isSchema(place)],
  ['does not check the form of URLs, email addresses and media types', ({ codes }) => codes.join() === 'wrong-format'],
  [
    'its schema of 3.1 does not check required and exclusive fields of these objects',
    ({ release, place }) =>
      release === '3.1' && ['parameter', 'header', 'mediaType', 'responses', 'example', 'webhook'].includes(place),
  ],
  ['its schema of 3.0 allows any field of a Discriminator Object', ({ place }) => place === 'discriminator'],
  ['its schema of 3.0 does not require `scopes` of the client credentials flow', ({ place }) => place === 'flows'],
]

/** Documents that we accept and swagger-parser rejects. */
const missedByUs: readonly Reason[] = [
  ['names of HTTP authentication schemes are case-insensitive (RFC 9110, section 11.1)', at('securityScheme')],
  ['Encoding Objects of 3.0.4 and Callback Objects can have extensions', at('encoding', 'callback')],
  ['a Link Object can have a `server`', at('link')],
  ['a License Object needs neither `identifier` nor `url`', at('license')],
  ['it accepts a list of patch versions', ({ value }) => hasField(value, 'openapi')],
  ['a document of 3.1 can consist of components', ({ value }) => hasField(value, 'components')],
]

/**
 * swagger-parser compiles its schemas again for every document, which takes a hundred times as long as the check. This lets it use the first
 * compilation of each schema.
 */
function compileOnce(): void {
  // The class that the compilers of all drafts extend.
  const shared: { validate: (this: Ajv, schema: object | string, data: unknown) => unknown } = Object.getPrototypeOf(
    Ajv.prototype,
  )
  const compilers = new Map<object, Ajv>()
  const { validate } = shared
  const spy = vi.spyOn(shared, 'validate').mockImplementation(function (this: Ajv, schema, data) {
    // By their names, Ajv asks for the schemas of schemas.
    if (typeof schema === 'string') return validate.call(this, schema, data)
    const compiler = compilers.get(schema) ?? this
    compilers.set(schema, compiler)
    const isValid = validate.call(compiler, schema, data)
    this.errors = compiler.errors ?? null
    return isValid
  })
  onTestFinished(() => {
    spy.mockRestore()
    expect(compilers.size).toBe(2)
  })
}

test('swagger-parser agrees on the validity of objects of 3.0 and 3.1, with the listed exceptions', async () => {
  compileOnce()
  const unexplained: Difference[] = []
  const used = new Set<string>()
  const compared = new Set<string>()
  for (const [index, release] of (['3.0', '3.1'] as const).entries()) {
    for (const [place, value, expected] of objectCases) {
      const expectedHere = expectedCodes(expected, index)
      if (expectedHere === undefined) continue
      compared.add(`${release} ${place} ${expectedHere.length === 0 ? 'valid' : 'invalid'}`)
      const document = documentWith(release, place, value)
      const codes = (await checkValue(document)).findings.filter(isError).map(({ code }) => code)
      const isAccepted = await isAcceptedByParser(document)
      if (isAccepted === (codes.length === 0)) continue
      const difference = { release, place, value, codes }
      const reason = (isAccepted ? missedByParser : missedByUs).find(([, applies]) => applies(difference))?.[0]
      if (reason === undefined) unexplained.push(difference)
      else used.add(reason)
    }
  }
  expect(unexplained).toEqual([])
  expect(compared.size).toBeGreaterThan(90)
  expect(used.size).toBe(missedByParser.length + missedByUs.length)
}, 600_000)

async function isAcceptedByParser(document: object): Promise<boolean> {
  try {
    // It changes the document that it is given. The type names only the documents that it takes for valid.
    await new SwaggerParser().validate(structuredClone(document) as never, { resolve: { external: false } })
    return true
  } catch {
    return false
  }
}

function isError({ code, severity = diagnosticCodes[code].severity }: Finding): boolean {
  return severity === 'error'
}

function isSchema(place: DocumentPlace): boolean {
  return place === 'schema' || place === 'discriminator' || place === 'xml'
}

function at(...places: readonly DocumentPlace[]) {
  return ({ place }: Difference) => places.includes(place)
}

function hasField(value: unknown, field: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field)
}
