import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { compareDescriptions } from '../../src/changes/compare/compare.ts'
import { isObject } from '../../src/text/json/json-values.ts'
import { runsOr, seed } from '../support/properties.ts'
import { createRandom, type Random } from '../support/random.ts'
import { makePairs, toBaseDocument } from './behavior.ts'
import { readDocument } from './compare-documents.ts'
import { everyField, listValues, readValue } from './document-values.ts'
import type { Schema } from './random-schemas.ts'
import { compareRewritten, compareVersions, rewrites, sameParts } from './rewrites.ts'

const today = '2026-06-15'

/** 320 of each in `npm test`, 20,000 at night. */
const runs = 40 * runsOr(8, 500)

/** The documents of the test fixtures that have no references to other files. Subtypes of those for fuzzing are lost if a reference is written out. */
const paths = globSync('test/fixtures/**/*.{yaml,json}', { exclude: (path) => path.endsWith('fuzz') })
const fixtures = [...new Set(paths.map((path) => readFileSync(path, 'utf8')))]
  .filter((text) => /^\W*openapi\W/m.test(text) && !/\$ref['"]?: *['"]?[^'"# ]/.test(text))
  .flatMap((text) => {
    const value = tryParse(text)
    return isObject(value) && isObject(value['paths']) ? [value] : []
  })

/** Some fixtures are malformed on purpose. */
function tryParse(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

const kinds = Object.entries(rewrites)

const draw = (random: Random) => random.of(random() < 0.8 ? makePairs(random).map(toBaseDocument) : [...everyField, ...fixtures])

test.each(kinds)('finds no change between a description and the same one with %s', async (_title, rewrite) => {
  expect(fixtures.length).toBeGreaterThan(10)
  for (let index = 0; index < runs / kinds.length; index++) {
    const random = createRandom(seed + index * 1_000_003)
    expect(await compareRewritten(draw(random), rewrite, random)).toEqual(undefined)
  }
})

test.each(sameParts)('finds the same changes between two versions and the same ones with %s', async (_title, rewrite) => {
  for (let index = 0; index < runs / kinds.length; index++) {
    const random = createRandom(seed + index * 1_000_003)
    expect(await compareVersions(draw(random), rewrite, random)).toEqual(undefined)
  }
})

interface Break {
  readonly title: string
  readonly base: Schema
  readonly revision: Schema
  readonly sent: string
  readonly received: string
  readonly inText?: boolean
}

const breaks: readonly Break[] = parse(readFileSync(new URL('breaks.yaml', import.meta.url), 'utf8'))

/** Adds the fields to an object of a document, or to one like it. Returns the schema around it, too. */
function toHost(document: unknown, random: Random): (fields: Schema) => Schema {
  const objects = listValues(document).flatMap(({ segments, object }) => {
    const schema = object === 'Schema' ? readValue(document, segments) : undefined
    if (!isObject(schema) || schema['type'] !== 'object' || !isObject(schema['properties'])) return []
    return Object.keys(schema).some((key) => !/^(?:type|properties|required|description|title|examples?|xml)$/.test(key))
      ? []
      : [schema]
  })
  const host = random.of(objects.length === 0 ? [{}] : objects)
  const wrap = random.of<(schema: Schema) => Schema>([
    (schema) => schema,
    (schema) => ({ type: 'object', properties: { inner: schema } }),
    (schema) => ({ type: 'array', items: schema }),
    (schema) => ({ type: 'object', additionalProperties: schema }),
    (schema) => ({ allOf: [{ type: 'object' }, schema] }),
    (schema) => ({ anyOf: [{ type: 'boolean' }, schema] }),
  ])
  return (fields) => {
    const required = [host['required'] ?? [], fields['required'] ?? []].flat()
    return wrap({
      ...host,
      ...fields,
      type: 'object',
      properties: { ...Object(host['properties']), ...Object(fields['properties']) },
      required,
    })
  }
}

/** An operation for each place of data, by what the client does with it. */
function toContexts(schema: Schema, property: unknown, components: unknown) {
  const content = { 'application/json': { schema } }
  const headers = property === undefined ? {} : { X: { schema: property } }
  const part = { schema: { type: 'object', properties: { a: { type: 'string' } } }, encoding: { a: { headers } } }
  const parameters = property === undefined ? [] : [{ name: 'X', in: 'header', schema: property }]
  const sends = { requestBody: { content }, responses: { default: { description: 'A' } } }
  const receives = { responses: { '200': { description: 'A', content } } }
  const sendsText = { parameters, requestBody: { content: { 'multipart/mixed': part } }, ...receives, responses: {} }
  const receivesText = { responses: { '200': { description: 'A', headers, content: { 'multipart/mixed': part } } } }
  const [outer, inner] = [toItems({ sends, sendsText }), toItems({ receives, receivesText })]
  const toCallbacks = (items: object) => ({ a: { callbacks: { inside: items }, responses: {} } })
  return {
    ...{ openapi: '3.1.0', info: { title: 'A', version: '1' }, components: components ?? {} },
    paths: {
      ...toItems({ sent: sends, sentText: sendsText, received: receives, receivedText: receivesText }),
      '/receivedByCallback': { post: toCallbacks(outer).a },
      '/sentByCallback': { post: toCallbacks(inner).a },
    },
    webhooks: {
      receivedByWebhook: { ...outer['/sends'] },
      receivedTextByWebhook: outer['/sendsText'],
      sentByWebhook: inner['/receives'],
      sentTextByWebhook: inner['/receivesText'],
    },
  }
}

function toItems(operations: { readonly [name: string]: object }): { readonly [path: string]: object } {
  return Object.fromEntries(Object.entries(operations).map(([name, operation]) => [`/${name}`, { post: operation }]))
}

test.each(breaks)(
  'a break has its level wherever clients send or receive it: $title',
  async ({ base, revision, ...expected }) => {
    for (let index = 0; index < runs / breaks.length; index++) {
      const random = createRandom(seed + index * 1_000_003)
      const document = random.of(random() < 0.5 ? makePairs(random).map(toBaseDocument) : [...everyField, ...fixtures])
      const toSchema = toHost(document, random)
      const [from, to] = [base, revision].map((fields) => {
        const inText = expected.inText ? Object(fields['properties']).added : undefined
        return JSON.stringify(toContexts(toSchema(fields), inText, readValue(document, ['components'])))
      }) as [string, string]
      const levels = new Map<string, string>()
      // The worst ones come first.
      for (const { level, operations } of compareDescriptions(await readDocument(from), await readDocument(to), { today })
        .changes) {
        for (const { path } of operations) if (!levels.has(path)) levels.set(path, level)
      }
      const wrong = [...levels].filter(
        ([path, level]) => level !== (path.includes('received') ? expected.received : expected.sent),
      )
      const count = levels.size
      const isRight = wrong.length === 0 && count === (expected.inText ? 10 : 6)
      if (!isRight) expect({ wrong, count, from, to }).toEqual({})
    }
  },
)
