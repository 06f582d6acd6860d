import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../texts')
const read = (name: string): Readonly<Record<string, unknown>> => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
const names = readdirSync(folder)
  .map((name) => name.replace(/\.json$/, ''))
  .filter((name) => name !== 'schema')

test.each(names)('texts/%s.json follows the schema', (name) => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false })
  ajv.addSchema(read('schema'), 'texts')
  const validate = ajv.compile({ $ref: `texts#/$defs/${name}` })
  validate(read(name))
  expect(validate.errors ?? []).toEqual([])
})

test.each([
  ['diagnostics', 'diagnostics-help'],
  ['changes', 'change-examples'],
])('each code of %s has its texts in %s, in the same order, and no text has no code', (codes, texts) => {
  expect(Object.keys(read(texts))).toEqual(Object.keys(read(codes)))
})

test('each link to a code of a diagnostic has a target', () => {
  const text = readFileSync(join(folder, 'diagnostics-help.json'), 'utf8')
  const targets = Array.from(text.matchAll(/\]\(#([\w-]+)\)/g), ([, target = '']) => target)
  expect(targets.filter((target) => target !== 'errors-that-can-be-warnings' && !(target in read('diagnostics')))).toEqual([])
})
