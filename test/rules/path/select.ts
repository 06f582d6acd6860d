import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { parsePath } from '../../../src/rules/path/parse-path.ts'
import type { ParsedPath } from '../../../src/rules/path/syntax.ts'
import { type Match, visitMatches } from '../../../src/rules/path/visit-matches.ts'
import { toPointer } from '../../../src/text/json/json-values.ts'

/** Parses a path that has to be valid. */
export function parse(expression: string): ParsedPath {
  const result = parsePath(expression)
  if (result.kind === 'failed') throw new Error(`${expression}: ${result.reason} at ${result.offset}`)
  return result.path
}

/** All matches of one path. */
export function listMatches(document: unknown, expression: string): readonly Match[] {
  const matches: Match[] = []
  const onMatch = (match: Match) => matches.push(match)
  visitMatches(document, [{ path: parse(expression), onMatch }], { originOf: () => undefined, spend: () => {} })
  return matches
}

/** Expects the pointers of the selected values, in the order of the document. Separated by spaces; `''` is the root. */
export function expectSelected(document: unknown, expression: string, pointers: string): void {
  expect(listMatches(document, expression).map(({ path }) => toPointer(path) || "''")).toEqual(
    pointers.split(' ').filter(Boolean),
  )
}

/** Expressions or conditions of `cases.yaml`, with what they select. */
export function readCases(section: 'selected' | 'javascript' | 'rfc9535'): Readonly<Record<string, string>> {
  return parseYaml(readFileSync(new URL('cases.yaml', import.meta.url), 'utf8'))[section]
}
