import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import type { Changelog } from '../../src/changes/compare/changelog.ts'
import type { ReadSiteOptions } from '../../src/site/make/read-site.ts'
import { isObject } from '../../src/text/json/json-values.ts'
import { readTree } from '../support/read-tree.ts'
import { siteOf, siteOfDocument } from './make/site-of.ts'
import { partsOfFile } from './parts-of-file.ts'
import { checkFiles } from './reference/reference-of.ts'

const folder = join(import.meta.dirname, '../fixtures/site/pages')

/** A case in `cases.yaml`: the site in the folder `site`, with changes, and what it shows. */
interface Case {
  readonly name: string
  /** Texts that replace files, changes to JSON files, and `null` for files that this site does not have. */
  readonly files?: Readonly<Record<string, unknown>>
  readonly options?: Partial<ReadSiteOptions>
  /** Builds the site of this document alone. */
  readonly document?: string
  /** A file in the folder `changelogs`. */
  readonly changelog?: string
  /**
   * For each path, what `expected` has of the file. `files` lists the paths that match, `with` those of files whose text matches,
   * `changed` those of files that are different without the changes. `operations` is the number of operations.
   */
  readonly shows: Readonly<Record<string, string | readonly string[]>>
}

const readChangelog = (subject: string, name: string): Changelog =>
  JSON.parse(readFileSync(join(folder, subject, 'changelogs', `${name}.json`), 'utf8'))

/** Applies changes as JSON Merge Patch does (RFC 7396). */
function merge(value: unknown, changes: unknown): unknown {
  if (!isObject(changes)) return changes
  const merged = new Map(Object.entries(isObject(value) ? value : {}))
  for (const [key, change] of Object.entries(changes)) {
    if (change === null) merged.delete(key)
    else merged.set(key, merge(merged.get(key), change))
  }
  return Object.fromEntries(merged)
}

function changeFiles(site: Readonly<Record<string, string>>, changes: Case['files'] = {}): Record<string, string> {
  const files = new Map(Object.entries(site))
  for (const [path, change] of Object.entries(changes)) {
    if (change === null) files.delete(path)
    else files.set(path, isObject(change) ? JSON.stringify(merge(JSON.parse(files.get(path) ?? '{}'), change)) : String(change))
  }
  return Object.fromEntries(files)
}

function build(subject: string, files: Readonly<Record<string, string>>, { document, options, changelog }: Partial<Case> = {}) {
  if (document !== undefined) return siteOfDocument(document, files[document] ?? '')
  return siteOf(files, {
    ...options,
    ...(options?.madeFiles && { madeFiles: new Set(options.madeFiles) }),
    ...(changelog && {
      readChangelogs: async (all) => new Map(all.map(({ source }) => [source, readChangelog(subject, changelog)])),
    }),
  })
}

/** Which files a list has. */
const lists: Readonly<Record<string, (pattern: RegExp, path: string, text?: string, plain?: string) => boolean>> = {
  files: (pattern, path, text) => text !== undefined && pattern.test(path),
  with: (pattern, _path, text = '') => pattern.test(text),
  changed: (pattern, path, text, plain) => text !== plain && pattern.test(path),
}

type Built = Awaited<ReturnType<typeof build>>

function show({ files, diagnostics, operationCount }: Built, plain: Built | undefined, shows: Case['shows']): string {
  const found = diagnostics.map(({ severity, file, range: { start }, pointer, code, message, hint }) =>
    [`${severity} ${file}:${start.line} ${pointer} ${code}: ${message}`, ...(hint === undefined ? [] : [`  ${hint}`])].join('\n'),
  )
  const sections: (readonly [title: string, text: string])[] = found.length > 0 ? [['diagnostics', found.join('\n')]] : []
  for (const [path, wanted] of Object.entries(shows)) {
    for (const part of [wanted].flat()) {
      const content = path === 'operations' ? String(operationCount) : files[path]
      if (path in lists) {
        const all = [...new Set([...Object.keys(files), ...(path === 'changed' ? Object.keys(plain?.files ?? {}) : [])])].sort()
        const found = all.filter((one) => lists[path]?.(new RegExp(part, 'i'), one, files[one], plain?.files[one]))
        sections.push([`${path} ${part}`, found.join('\n')])
      } else if (content === undefined) sections.push([`${path}: ${part}`, 'no file'])
      else sections.push([`${path}: ${part}`, partsOfFile(path, content, part, plain?.files[path]).trimEnd()])
    }
  }
  const shown = sections.map(([title, text]) => `=== ${title}\n${text || 'nothing'}\n`)
  // A file cannot have half of a surrogate pair.
  return shown.join('\n').toWellFormed()
}

/** A file name. */
const toSlug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 70)

// `vitest -u` updates the files in `expected`. Review the changes.
describe.each(globSync('*/cases.yaml', { cwd: folder }).map((path) => path.split(/[\\/]/)[0] ?? ''))('%s', (subject) => {
  const site = readTree(join(folder, subject, 'site'))
  const cases = load(readFileSync(join(folder, subject, 'cases.yaml'), 'utf8')) as readonly Case[]
  let plain: Promise<Built> | undefined

  test.each(cases)('$name', async (one) => {
    const hasDiff = 'changed' in one.shows || Object.values(one.shows).flat().includes('diff')
    if (hasDiff) plain ??= build(subject, site)
    const built = await build(subject, changeFiles(site, one.files), one)
    for (const path of Object.keys(one.shows).filter((path) => path.endsWith('.openapi.json') && path in built.files)) {
      const { findings } = await checkFiles({ [path]: built.files[path] })
      expect(findings).toEqual([])
    }
    const end = Object.keys(one.shows).some((path) => path.endsWith('.html')) ? 'html' : 'md'
    await expect(show(built, hasDiff ? await plain : undefined, one.shows)).toMatchFileSnapshot(
      join(folder, subject, 'expected', `${toSlug(one.name)}.${end}`),
    )
  })

  test('has no other files', () => {
    const names = cases.map(({ name }) => toSlug(name))
    expect(new Set(names).size).toBe(names.length)
    const recorded = globSync('*', { cwd: join(folder, subject, 'expected') }).map((path) => path.replace(/\.\w+$/, ''))
    expect(recorded.filter((name) => !names.includes(name))).toEqual([])
  })
})
