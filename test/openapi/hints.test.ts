import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { planQuickFix } from '../../src/cli/open/quick-fixes.ts'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts'
import { isObject, parsePointer } from '../../src/text/json/json-values.ts'
import { checkFiles } from '../support/check-text.ts'
import { toOffset } from '../support/to-offset.ts'

type Parents = readonly { [key: string]: unknown }[]

/** The edits that `planQuickFix` leaves to the author. `parents`: from the mapping with the key up to the document. */
const edits: readonly (readonly [RegExp, (parents: Parents, key: string, match: RegExpExecArray) => void])[] = [
  [
    /^Put `- ` before the |^Put the \w+ in `\[ \]`|^Write a list with one entry$/,
    ([parent = {}], key) => void Object.assign(parent, { [key]: [parent[key]] }),
  ],
  [
    /^Put `- ` before each|^Put the entries in|^(Write a list in which each)/,
    ([parent = {}], key, [, withNames]) => {
      const entries = Object.entries(parent[key] ?? {})
      const toEntry = (name: string, value: unknown) => (value === null ? name : { [name]: value })
      parent[key] = entries.map(([name, value]) => (withNames ? { name, ...value } : toEntry(name, value)))
    },
  ],
  [
    /^Move `(\w+)` (?:to the media type|under `(schema)`)/,
    ([parent = {}, above = {}], _key, [, name = '', inner]) => {
      if (inner === undefined) above[name] = parent[name]
      else parent[inner] = { ...(isObject(parent[inner]) && parent[inner]), [name]: parent[name] }
      delete parent[name]
    },
  ],
  [
    /^(?:In OpenAPI 3\.0, w|W)rite `\w+: [^`]*` and `\w+: [^`]*`$/,
    ([parent = {}], key, { input }) => {
      delete parent[key]
      for (const [, name = '', value = ''] of input.matchAll(/`(\w+): ([^`]*)`/g)) parent[name] = parse(value)
    },
  ],
]

/** The document after the edit that a hint names. `undefined` if it names none. */
async function applyHint({ hint = '', range, ...diagnostic }: Diagnostic, text: string): Promise<string | undefined> {
  const offsets = { start: toOffset(text, range.start), end: toOffset(text, range.end) }
  const fix = await planQuickFix({ hint, ...diagnostic }, offsets, { path: 'openapi.yaml', text })
  if (fix) return text.slice(0, fix.offsets.start) + fix.newText + text.slice(fix.offsets.end)
  const parsed = parseDocument(text)
  const value: unknown = parsed.errors.length > 0 ? undefined : parsed.toJS()
  const keys = parsePointer(diagnostic.pointer)
  const path: unknown[] = [value]
  for (const key of keys.slice(0, -1)) path.unshift(Reflect.get(Object(path[0]), key))
  for (const [pattern, edit] of edits) {
    const match = pattern.exec(hint)
    if (!match) continue
    edit(path.filter(isObject), keys.at(-1) ?? '', match)
    return JSON.stringify(value)
  }
  return undefined
}

test('the edit that a hint names repairs the document that has the problem', async () => {
  const cases = globSync('test/openapi/diagnostics/*.yaml').flatMap((path) => parse(readFileSync(path, 'utf8')))
  const failed: string[] = []
  let count = 0
  for (const { title, document } of cases) {
    if (document === undefined) continue
    const check = async (text: string) => (await checkFiles({ 'openapi.yaml': text })).diagnostics
    const before = await check(document)
    for (const diagnostic of before) {
      const after = await applyHint(diagnostic, document)
      if (after === undefined) continue
      count++
      const left = await check(after)
      const toKey = ({ code, message, pointer }: Diagnostic) => `${code} ${pointer} ${message}`
      const isLeft = left.map(toKey).includes(toKey(diagnostic))
      const errors = [before, left].map((all) => all.filter(({ severity }) => severity === 'error').length)
      // Only then the document is checked.
      const isFirst = diagnostic.code === 'not-openapi'
      if (isLeft || (!isFirst && (errors[1] ?? 0) > (errors[0] ?? 0)))
        failed.push(`${title}: ${diagnostic.message} · ${diagnostic.hint}`)
    }
  }
  expect(failed).toEqual([])
  expect(count).toBeGreaterThan(30)
})
