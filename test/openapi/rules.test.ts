import { describe, expect, test } from 'vitest'
import { checkFiles, diagnosticLines } from '../support/check-text.ts'

/** The diagnostics of a document with `info` in line 2, without those for unused components. */
async function linesOf(rest: string, version = '3.1.0'): Promise<string[]> {
  const paths = /^paths:/m.test(rest) ? '' : 'paths: {}\n'
  const lines = await diagnosticLines(`openapi: ${version}\ninfo: {title: Pets, version: 1.0.0}\n${rest}\n${paths}`)
  return lines.filter((line) => !line.includes(' unused-component '))
}

const id = (name: string, type = 'string') => `{name: ${name}, in: path, required: true, schema: {type: ${type}}}`

describe('path-ambiguous', () => {
  test('many paths that all clash do not take long', async () => {
    const paths = Array.from({ length: 3_000 }, (_, index) => `  /${index % 2 === 0 ? `{a}/w${index}` : `w${index}/{b}`}/{c}: {}`)
    // Without a limit, reports for each pair would exceed the time limit of tests.
    expect((await linesOf(`paths:\n${paths.join('\n')}`)).length).toBeGreaterThan(1_000)
  })
})

describe('hints for common mistakes', () => {
  test('a renamed path parameter is one problem with all its places', async () => {
    const get = `parameters: [${id('id')}], responses: {'200': {description: A}}`
    const text = `openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths:\n  '/a/{petId}':\n    get: {${get}}\n    put: {${get}}\n    delete: {${get}}\n`
    const { diagnostics } = await checkFiles({ 'openapi.yaml': text })
    expect(
      diagnostics.map(({ hint, range, related }) => [hint, range.start.line, related.map((place) => place.range.start.line)]),
    ).toEqual([['Did you mean `petId`?', 5, [6, 7]]])
  })
})

describe('nullable-ignored', () => {
  test('lists the first other places', async () => {
    const schemas = Array.from({ length: 30 }, (_, index) => `    A${index}: {type: string, nullable: true}`).join('\n')
    const { diagnostics } = await checkFiles({
      'openapi.yaml': `openapi: 3.1.0\ninfo: {title: A, version: "1"}\ncomponents:\n  schemas:\n${schemas}\n`,
    })
    const [found] = diagnostics.filter(({ code }) => code === 'nullable-ignored')
    expect(found?.message).toContain('30 Schema Objects')
    expect(found?.related.map(({ range }) => range.start.line)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
  })
})

describe('tag-parent', () => {
  test('reports each circle once, with the other tags as related places', async () => {
    const text = `openapi: 3.2.0
info: {title: Pets, version: 1.0.0}
tags:
  - {name: kittens, parent: cats}
  - {name: cats, parent: pets}
  - {name: pets, parent: cats}
  - {name: self, parent: self}
paths: {}
`
    const { diagnostics } = await checkFiles({ 'openapi.yaml': text })
    const lines = diagnostics.map(({ range, severity, message, hint, related }) => {
      const places = related.map((place) => `${place.range.start.line}: ${place.message}`)
      return [range.start.line, severity, message, hint, ...places].join(' · ')
    })
    const cycle = 'error · Unexpected cycle of tag parents:'
    expect(lines).toEqual([
      `5 · ${cycle} \`cats\` → \`pets\` → \`cats\` · Remove \`parent\` from one of these tags · 6: the parent of \`pets\``,
      `7 · ${cycle} \`self\` → \`self\` · Remove \`parent\``,
    ])
  })
})
