import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder, readActionFile } from '../support/action-harness.ts'

const source = readdirSync(join(projectFolder, 'src/action'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(projectFolder, 'src/action', name), 'utf8'))
  .join('\n')

const action = readActionFile()

test('declares exactly the inputs that the code reads', () => {
  const read = source.matchAll(/\b(?:getInput|getMultilineInput|readBranch|readChoice|readPaths?|readList|isTrue)\('([\w-]+)'/g)
  expect(Object.keys(action.inputs).sort()).toEqual([...new Set([...read].map(([, name]) => name))].sort())
})

test('declares exactly the outputs that the code sets', () => {
  const set = source.matchAll(/\bsetOutput\('([\w-]+)'/g)
  expect(Object.keys(action.outputs).sort()).toEqual([...set].map(([, name]) => name).sort())
})

test('describes all inputs and outputs, with a default for each input', () => {
  for (const [name, input] of Object.entries(action.inputs)) {
    expect([name, typeof input.default, input.description.length > 20]).toEqual([name, 'string', true])
  }
  for (const [name, output] of Object.entries(action.outputs))
    expect([name, output.description.length > 20]).toEqual([name, true])
})

test('runs the committed bundle on Node 24', () => {
  expect(action.runs).toEqual({ using: 'node24', main: 'dist/action/index.js' })
})
