import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { compareDescriptions } from '../../src/changes/compare/compare.ts'
import { isObject } from '../../src/text/json/json-values.ts'
import { runsOr, seed } from '../support/properties.ts'
import { createRandom } from '../support/random.ts'
import { makePairs, toBaseDocument } from './behavior.ts'
import { readDocument } from './compare-documents.ts'
import { everyField } from './document-values.ts'
import { rewrites } from './rewrites.ts'

const today = '2026-06-15'

/** 320 of each in `npm test`, 20,000 at night. */
const runs = 40 * runsOr(8, 500)

/** The documents of the test fixtures that have no references to other files. */
const fixtures = [...new Set(globSync('test/fixtures/**/*.{yaml,json}').map((path) => readFileSync(path, 'utf8')))]
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

test.each(kinds)('finds no change between a description and the same one with %s', async (_title, rewrite) => {
  expect(fixtures.length).toBeGreaterThan(10)
  for (let index = 0; index < runs / kinds.length; index++) {
    const random = createRandom(seed + index * 1_000_003)
    const made = random() < 0.8 ? makePairs(random).map(toBaseDocument) : [...everyField, ...fixtures]
    const document = random.of(made)
    const revision = await rewrite(document, random)
    const [from, to] = [await readDocument(JSON.stringify(document)), await readDocument(revision)]
    const found = [...compareDescriptions(from, to, { today }).changes, ...compareDescriptions(to, from, { today }).changes]
    const shown = found.map(({ code, base, revision: other }) => `${code} ${base?.pointer} → ${other?.pointer}`)
    if (shown.length > 0) expect({ shown, document, revision }).toEqual({ shown: [], document, revision })
  }
})
