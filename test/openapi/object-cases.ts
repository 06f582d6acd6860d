import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { DocumentPlace } from './documents.ts'

/** A row of `object-cases.yaml`, which explains it. */
type ObjectCase = readonly [place: DocumentPlace, value: unknown, expected: string]

// Many rows name the same objects.
const { cases }: { readonly cases: readonly ObjectCase[] } = parse(
  readFileSync(new URL('object-cases.yaml', import.meta.url), 'utf8'),
  { merge: true, maxAliasCount: -1 },
)

/** Only fields of whole documents are removed. */
export const objectCases = cases.map(([place, value, expected]): ObjectCase => {
  if (place !== 'root') return [place, value, expected]
  const fields = Object.entries(value as object).map(([name, one]) => [name, one === '(removed)' ? undefined : one])
  return [place, Object.fromEntries(fields), expected]
})

/** The codes a case expects in a release, sorted; `undefined` where it is not tried. */
export function expectedCodes(expected: string, index: number): string[] | undefined {
  const words = expected.split(' ')
  const word = words.length === 1 ? words[0] : words[index]
  if (word === undefined || word === '-') return undefined
  if (word === 'ok') return []
  return word
    .split('+')
    .flatMap((part) => {
      const [code = '', count = '1'] = part.split('*')
      return Array.from({ length: Number(count) }, () => code)
    })
    .sort()
}
