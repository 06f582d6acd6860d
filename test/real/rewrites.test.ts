import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { compareRewritten, compareVersions, rewrites, sameParts } from '../changes/rewrites.ts'
import { runsOr, seed } from '../support/properties.ts'
import { createRandom } from '../support/random.ts'

const modules = inject('realModules')

/** The documents of the packages, each once. Those of GitHub are too large to compare this often. */
const patterns = ['@readme/oas-examples/3.?/**/*.{json,yaml}', '@scalar/galaxy/dist/**/*.{json,yaml}']
const texts = globSync(patterns, { cwd: modules }).map((path) => readFileSync(join(modules, path), 'utf8'))
const isOpenApi = (text: string) => /["']?openapi["']?\s*:\s*["']?3\./.test(text.slice(0, 2_000))
const documents = [...new Set(texts.filter(isOpenApi).map((text) => JSON.stringify(parse(text))))]

/** Rewrites that change which schemas extend one with a discriminator, or put dynamic references and their targets in different files. */
function changesMeaning(title: string, text: string): boolean {
  if (/inline|compositions|unions as components/.test(title)) return text.includes('"discriminator"')
  return title === 'two files' && text.includes('"$dynamicRef"')
}

test.each(Object.entries(rewrites))(
  'finds no change in real documents with %s',
  async (title, rewrite) => {
    expect(documents.length).toBeGreaterThan(50)
    for (const [index, text] of documents.entries()) {
      if (changesMeaning(title, text)) continue
      for (let run = 0; run < runsOr(2, 20); run++) {
        const random = createRandom(seed + (index + run * 1_000) * 1_000_003)
        expect(await compareRewritten(JSON.parse(text), rewrite, random)).toEqual(undefined)
      }
    }
  },
  3_600_000,
)

test.each(sameParts)(
  'finds the same changes in two versions of real documents with %s',
  async (title, rewrite) => {
    for (const [index, text] of documents.entries()) {
      if (changesMeaning(title, text)) continue
      for (let run = 0; run < runsOr(15, 150); run++) {
        const random = createRandom(seed + (index + run * 1_000) * 1_000_003)
        expect(await compareVersions(JSON.parse(text), rewrite, random)).toEqual(undefined)
      }
    }
  },
  3_600_000,
)
