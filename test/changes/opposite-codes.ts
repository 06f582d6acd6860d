import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type ChangeCode, changeCodes, type UnlocatedChange } from '../../src/changes/change.ts'

interface Opposites {
  readonly words: readonly (readonly [string, string])[]
  readonly codes: { readonly [code: string]: readonly ChangeCode[] }
}

const opposites: Opposites = parse(readFileSync(new URL('opposite-codes.yaml', import.meta.url), 'utf8'))

/** The codes that the opposite of a change can have. */
export function listOpposites(code: ChangeCode): ReadonlySet<string> {
  const found = new Set<string>(opposites.codes[code])
  for (const [other, codes] of Object.entries(opposites.codes)) if (codes.includes(code)) found.add(other)
  for (const [one, other] of [...opposites.words, ...opposites.words.map(([one, other]) => [other, one] as const)]) {
    const changed = code.replace(new RegExp(`(^|-)${one}($|-)`), `$1${other}$2`)
    if (changed !== code && changed in changeCodes) found.add(changed)
  }
  // A change without a direction is its own opposite.
  return found.size === 0 || code.endsWith('-changed') ? found.add(code) : found
}

/** The changes without an opposite of the same operations. */
export function listUnmirrored(there: readonly UnlocatedChange[], back: readonly UnlocatedChange[]): string[] {
  const paths = ({ operations }: UnlocatedChange) => operations.map(({ path }) => path)
  return there.flatMap((change) => {
    const mirrors = listOpposites(change.code)
    const opposites = back.filter(({ code }) => mirrors.has(code))
    // What one side never sends is only listed if it is sent nowhere, so that the opposite can name fewer operations.
    const isSent = change.level !== 'compatible' && !change.code.includes('-only')
    const hasPaths = paths(change).every((path) => opposites.some((one) => paths(one).includes(path)))
    const isMirrored = opposites.length > 0 && (hasPaths || !isSent)
    return isMirrored
      ? []
      : [`${change.code} (${paths(change).join()}) has no opposite in ${back.map(({ code }) => code).join()}`]
  })
}
