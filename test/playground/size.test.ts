import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

// What a click on “Try it” loads, and all that can follow it, in bytes after gzip. The files are those of the last build.
const folder = join(import.meta.dirname, '../../build/site')
const sizeOf = (name: string) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length

/** The scripts that a script imports, itself first; with `later` also those that it imports when they are asked for. */
function listScripts(entry: string, later: boolean, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found
  found.add(entry)
  const code = readFileSync(join(folder, entry), 'utf8')
  const pattern = later ? /(?:from|import|import\()"\.\/([\w-]+\.js)"/g : /(?:from|import)"\.\/([\w-]+\.js)"/g
  for (const [, name = ''] of code.matchAll(pattern)) listScripts(name, later, found)
  return found
}

const entry = readdirSync(folder).find((name) => /^open-playground-\w+\.js$/.test(name)) ?? 'open-playground.js'
const sum = (names: Iterable<string>) => [...names].reduce((all, name) => all + sizeOf(name), 0)

test('a page loads little of the playground before the click', () => {
  expect(sum(listScripts('page.js', false))).toBeLessThan(2_600)
})

test('the form can be used after 25 kB, and all of it stays as small as it is', () => {
  expect(sum(listScripts(entry, false))).toBeLessThanOrEqual(25_000)
  expect(sum(listScripts(entry, true))).toBeLessThan(54_300)
  expect(sizeOf('playground.css')).toBeLessThan(2_600)
})
