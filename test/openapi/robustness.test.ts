import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { toWellFormed } from '../../src/text/plain/escape-text.ts'
import { type Range, toLineStarts } from '../../src/text/plain/source-file.ts'
import { checkFiles } from '../support/check-text.ts'
import { fc, propertyRuns } from '../support/properties.ts'
import { mutatedDocument } from './mutated-document.ts'

const numRuns = propertyRuns(50)

/** Checks a text, and that whatever is said about it has its place in it. */
async function checkAnything(name: string, text: string): Promise<unknown> {
  const { diagnostics } = await checkFiles({ [name]: text })
  const starts = toLineStarts(text)
  const isInside = ({ start, end }: Range) => {
    const offset = ({ line, column }: Range['start']) => (starts[line - 1] ?? Number.NaN) + column - 1
    return offset(start) >= 0 && offset(start) <= offset(end) && offset(end) <= text.length
  }
  for (const { file, range, related, message } of diagnostics) {
    expect(message).not.toBe('')
    expect(file !== name || isInside(range), `${message} at ${JSON.stringify(range)}`).toBe(true)
    for (const place of related) expect(place.file !== name || isInside(place.range), place.message).toBe(true)
  }
  return diagnostics
}

describe('never gives up, places all it says inside the file, and says the same again', () => {
  test('about documents of the table of cases with parts moved about', async () => {
    await fc.assert(
      fc.asyncProperty(mutatedDocument, fc.boolean(), async ({ document }, pretty) => {
        const text = JSON.stringify(document, undefined, pretty ? 2 : 0)
        expect(await checkAnything('a.json', text)).toEqual(await checkAnything('a.json', text))
      }),
      { numRuns },
    )
  })

  const petstore = readFileSync(new URL('../../examples/petstore/openapi.yaml', import.meta.url), 'utf8')
  const piece = fc.oneof(
    fc.constantFrom(...'"\'{}[]#\n\t\r\0\u2028😀', ': ', '- ', '&a ', '*a', '!!', '|\n', '$ref: '),
    fc.string({ maxLength: 3 }),
  )

  test('about a text with pieces put in, taken out and doubled', async () => {
    const edit = fc.record({ at: fc.nat(), length: fc.nat({ max: 30 }), put: piece, double: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        let text = petstore
        for (const { at, length, put, double } of edits) {
          const start = at % text.length
          const taken = text.slice(start, start + length)
          text = text.slice(0, start) + (double ? taken + taken : put) + text.slice(start + length)
        }
        // As it would come from a file.
        await checkAnything('a.yaml', toWellFormed(text))
      }),
      { numRuns: Math.ceil(numRuns / 2) },
    )
  })

  test('about an object that cannot be written as text, in every place', async () => {
    const places: (() => Promise<unknown>)[] = []
    const whole: unknown = parse(petstore)
    const visit = (owner: object) => {
      for (const [key, value] of Object.entries(owner)) {
        places.push(async () => {
          Reflect.set(owner, key, { toString: 1, valueOf: 1 })
          await checkAnything('a.json', JSON.stringify(whole))
          Reflect.set(owner, key, value)
        })
        if (typeof value === 'object' && value !== null) visit(value)
      }
    }
    visit(Object(whole))
    expect(places.length).toBeGreaterThan(100)
    for (const place of places) await place()
  })
})

describe('limits', () => {
  const schemas = (count: number, type: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`S${index}`, { type, description: 'x'.repeat(50) }]))
  const document = (count: number, type: string) =>
    JSON.stringify({ openapi: '3.1.0', info: { title: 'a', version: '1' }, components: { schemas: schemas(count, type) } })

  test('reports at most 100,000 problems', async () => {
    const { diagnostics } = await checkFiles({ 'a.json': document(120_000, 'strng') })
    expect(diagnostics).toHaveLength(100_001)
    expect(diagnostics.filter(({ code }) => code !== 'wrong-value')).toMatchObject([
      { code: 'too-complex', message: 'More than 100,000 problems found. The rest are not reported' },
    ])
  })

  test('finds a problem at the end of a line of many megabytes', async () => {
    const text = document(300_000, 'string').replace(/\}\}\}$/, ',"Z":{"type":"strng"}}}}')
    expect(text.length).toBeGreaterThan(25_000_000)
    const { diagnostics } = await checkFiles({ 'a.json': text })
    expect(diagnostics).toMatchObject([
      { pointer: '/components/schemas/Z/type', range: { start: { line: 1, column: text.length - 10 } } },
    ])
  })
})
