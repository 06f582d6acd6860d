import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { compareContents } from '../../src/changes/compare/compare.ts'
import { planFixes } from '../../src/cli/open/fix-problems.ts'
import { runCheck } from '../../src/docs/check/run-check.ts'
import type { Files } from '../../src/files/files.ts'
import { isObject } from '../../src/text/json/json-values.ts'
import { parseSource } from '../../src/text/parse-source.ts'
import { createMemoryFiles } from './memory-files.ts'
import type { Random } from './random.ts'

const readText = (name: string) => JSON.parse(readFileSync(`texts/${name}.json`, 'utf8'))
const phrases: { readonly [status: string]: string } = readText('reason-phrases')

/** The fields of all objects of OpenAPI, and their possible values. */
const specified = new Set<string>(['true', 'false'])
type Release = { readonly [object: string]: { readonly fields?: { readonly [field: string]: string | null } } | null }
for (const object of Object.values<Release>(readText('openapi-objects')).flatMap((release) => Object.values(release))) {
  for (const [name, type] of Object.entries(object?.fields ?? {})) {
    for (const word of [name, ...(type ?? '').split(/[|=!]/)]) specified.add(word)
  }
}

/** How often each key and scalar is in a document. The text of a number counts as the number. */
async function countWords(text: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const add = (text: string) => {
    const word = /^-?\d+(?:\.\d+)?$/.test(text) ? String(Number(text)) : text
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const walk = (value: unknown) => {
    if (Array.isArray(value)) value.forEach(walk)
    else if (!isObject(value)) add(String(value))
    else
      for (const [key, inside] of Object.entries(value)) {
        add(key)
        walk(inside)
      }
  }
  walk((await parseSource({ path: '', text })).value)
  return counts
}

/** Plans the fixes of some of the documents. */
export async function planFixesOf(texts: { readonly [path: string]: string }, entries: readonly string[]) {
  const fetchDocument = () => Promise.reject(new Error('Unexpected request'))
  const check = (files: Files) => runCheck({ entries }, { files, fetchDocument })
  return await planFixes(check, createMemoryFiles(texts), false)
}

/** Fixes a document, and returns its text and the number of fixes. Fails if clients notice a fix, or a fix invents a word. */
export async function fixProvably(name: string, before: string): Promise<{ readonly text: string; readonly fixCount: number }> {
  const { changes, fixCount } = await planFixesOf({ [name]: before }, [name])
  const [change] = changes
  if (change?.kind !== 'modify') return { text: before, fixCount }
  const text = change.content
  const { changes: noticed } = await compareContents(before, text)
  expect(
    noticed.filter(({ level }) => level !== 'compatible').map(({ message }) => message),
    text,
  ).toEqual([])
  const known = await countWords(before)
  const added = [...(await countWords(text))].filter(([word, count]) => count > (known.get(word) ?? 0)).map(([word]) => word)
  const isPhrase = (word: string) => Object.keys(phrases).some((status) => phrases[status] === word && known.has(status))
  expect(added.filter((word) => !specified.has(word) && !isPhrase(word) && !/^[1-5](?:\d\d|XX)$/.test(word), text)).toEqual([])
  return { text, fixCount }
}

/** What people do wrong, as a pattern of places and what becomes of one: typos, wrong quotes, missing fields. */
const mistakes: readonly (readonly [RegExp, (found: string, random: Random) => string])[] = [
  [/[$A-Za-z]{4,}(?=["']?\s*:)/g, misspell],
  [/[A-Za-z]{4,}/g, misspell],
  [/(?<=: )(?:true|false|\d+)\b/g, (found) => `"${found}"`],
  [/(["'])\d{3}\1(?=:)/g, (found) => found.slice(1, -1)],
  [/(["'])[\d.]+\1(?!\s*:)/g, (found) => found.slice(1, -1)],
  [/"description": ?"[^"\\]*", ?|\bdescription: [\w ]+(?:, |\n *(?! ))/g, () => ''],
]

function misspell(word: string, random: Random): string {
  const at = 1 + Math.floor(random() * (word.length - 2))
  return word.slice(0, at) + (random() < 0.5 ? '' : `${word[at + 1]}${word[at]}`) + word.slice(at + 2)
}

/** Breaks a document at up to eight places. */
export function breakDocument(text: string, random: Random): string {
  let broken = text
  for (let count = 1 + Math.floor(random() * 8); count > 0; count--) {
    const [pattern, change] = random.of(mistakes)
    const places = [...broken.matchAll(pattern)]
    if (places.length === 0) continue
    const { 0: found, index } = random.of(places)
    broken = broken.slice(0, index) + change(found, random) + broken.slice(index + found.length)
  }
  return broken
}
