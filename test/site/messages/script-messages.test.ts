import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { english } from '../../../src/site/messages/messages.ts'

const src = join(import.meta.dirname, '../../../src')
const readSource = (folder: string) =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: src })
    .map((path) => readFileSync(join(src, path), 'utf8'))
    .join('\n')

/** Texts that the source puts together, by their beginning. */
const composed = /^(?:API key in|Missing `\{name\}` in) the /

test('the playground shows every text', () => {
  const source = readSource('playground').replaceAll('\\', '')
  const unused = Object.keys(english.playground).filter((text) => {
    const start = composed.exec(text)?.[0]
    return !(start === undefined
      ? ["'", '"'].some((quote) => source.includes(quote + text + quote))
      : source.includes(`${start}\${`))
  })
  expect(unused).toEqual([])
})

test('page scripts show every text', () => {
  const source = readSource('site/client')
  const unused = Object.entries(english.client).flatMap(([script, texts]) =>
    Object.keys(texts).flatMap((key) => (new RegExp(`\\b${key}\\b`).test(source) ? [] : [`${script}.${key}`])),
  )
  expect(unused).toEqual([])
})
