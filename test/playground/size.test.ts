import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

// Size budgets of the playground, in bytes after gzip per file: after opening it, until a response is shown, and in total. Measures the last build.
const folder = join(import.meta.dirname, '../../build/site')
const sizeOf = (name: string) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length

/** A script and its static imports. With `later`, also includes dynamic imports. */
function listScripts(entry: string, later: boolean, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found
  found.add(entry)
  const code = readFileSync(join(folder, entry), 'utf8')
  const pattern = later ? /(?:from|import|import\(|resolve\()"\.\/([\w-]+\.js)"/g : /(?:from|import)"\.\/([\w-]+\.js)"/g
  for (const [, name = ''] of code.matchAll(pattern)) listScripts(name, later, found)
  return found
}

const find = (script: string) => readdirSync(folder).find((name) => name.replace(/-\w{8}\.js$/, '') === script) ?? `${script}.js`
const sum = (names: Iterable<string>) => [...names].reduce((all, name) => all + sizeOf(name), 0)
/** The total size of scripts and their imports, each counted once. */
const together = (...scripts: readonly string[]) => {
  const found = new Set<string>()
  for (const script of scripts) listScripts(find(script), false, found)
  return sum(found)
}

test('a page loads little of the playground before the click', () => {
  expect(sum(listScripts('page.js', false))).toBeLessThanOrEqual(3_820)
})

test('a page loads at most 4.2 kB of scripts before a click', () => {
  expect(together('page', 'theme')).toBeLessThanOrEqual(4_200)
})

test('feedback takes at most 1 kB of scripts, on the pages of sites that ask for it', () => {
  expect(together('send-feedback')).toBeLessThanOrEqual(1_000)
})

test('the form is usable after 25.6 kB', () => {
  expect(together('open-playground')).toBeLessThanOrEqual(25_600)
  // With the interpreter of schemas, which loads for the first value.
  expect(together('open-playground', 'check-value')).toBeLessThanOrEqual(33_600)
  expect(sizeOf('playground.css')).toBeLessThan(3_200)
})

test('filling in, sending and showing a JSON response takes at most 39.3 kB', () => {
  expect(together('open-playground', 'output')).toBeLessThanOrEqual(39_300)
  // With credentials.
  expect(together('open-playground', 'authentication', 'output')).toBeLessThanOrEqual(41_200)
})

test('all scripts of the playground together stay below 77 kB, without the code editor of 100 kB', () => {
  const all = listScripts(find('open-playground'), true)
  const editor = [...all].filter((name) => name.startsWith('code-editor-'))
  expect(sum(editor)).toBeLessThan(100_500)
  expect(sum(all) - sum(editor)).toBeLessThan(77_000)
  // It is only loaded for raw bodies and long responses.
  for (const script of ['open-playground', 'output', 'other-responses']) {
    expect([...listScripts(find(script), false)].filter((name) => editor.includes(name))).toEqual([])
  }
})

test('all scripts of a site together take at most 100 kB, without the code editor', () => {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  // Sites do not contain that of the local preview.
  expect(sum(scripts.filter((name) => !/^(?:code-editor-|preview\.)/.test(name)))).toBeLessThanOrEqual(100_000)
})
