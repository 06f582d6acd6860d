import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { diagnosticLines } from '../support/check-text.ts'

/** A document, or files of which the first is the entry, and everything that a check says about it. */
interface Case {
  readonly title: string
  readonly document: string
  readonly files?: { readonly [path: string]: string }
  readonly diagnostics: readonly string[]
}

describe.each(globSync('test/openapi/diagnostics/*.yaml').sort())('%s', (path) => {
  const cases: readonly Case[] = parse(readFileSync(path, 'utf8'))

  test.each(cases)('$title', async ({ document, files = { 'openapi.yaml': document }, diagnostics }) => {
    expect(await diagnosticLines(files)).toEqual(diagnostics)
  })
})
