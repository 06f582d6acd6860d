import type { Finding } from '../../diagnostic/diagnostic.ts'
import type { CheckContext } from '../checks/check.ts'
import type { Place } from '../follow-reference.ts'
import { shorten } from '../name-value.ts'
import { citedEdition } from '../section-of.ts'
import { type DescribedValue, listDescribed, partPointer } from './list-described.ts'
import { matchSchema } from './match-schema.ts'
import type { MatchState, Mismatch } from './match-state.ts'

/** How many schemas are looked into for all values of a description: about a second's work. */
const maxSteps = 2_000_000

/**
 * Reports examples, defaults and choices that their schemas do not allow, for each value the first place.
 *
 * @see OpenAPI 3.1.1, "Media Type Object", "Parameter Object" and "Schema Object": `example`, `examples`, `default`, `enum`
 */
export function checkDescribed(
  { met, follow, release }: CheckContext,
  find: (file: string, reference: string) => Place | undefined,
  report: (finding: Finding) => void,
): void {
  const state: MatchState = { release, find, stepsLeft: maxSteps, uncertain: false, path: [], depth: 0 }
  for (const object of met.described) {
    for (const described of listDescribed(object, follow)) {
      const mismatch = matchDescribed(state, described)
      if (mismatch) report(toFinding(described, mismatch, `OpenAPI ${citedEdition[release]}, ${object.kind} Object`))
    }
  }
}

function matchDescribed(state: MatchState, { place, schema, serialized }: DescribedValue): Mismatch | undefined {
  const mismatch = matchSchema(state, schema, place.value)
  if (!mismatch || serialized === 'never' || typeof place.value !== 'string') return mismatch
  const parsed = parseJson(place.value)
  // `a,b` may well be the list that `style` makes of two.
  const isStyled = serialized === 'parameter' && mismatch.path.length === 0 && /^a (?:list|mapping)/.test(mismatch.expected)
  if (parsed === undefined) return isStyled ? undefined : mismatch
  return matchSchema(state, schema, parsed) ? mismatch : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fields = { 'example-mismatch': 'example', 'default-mismatch': '`default`', 'enum-mismatch': 'an entry of `enum`' } as const

function toFinding(
  { code, place, schema }: DescribedValue,
  { path, on, found, expected, hint }: Mismatch,
  section: string,
): Finding {
  const last = path.at(-1)
  const field = code === 'example-mismatch' ? 'an example' : fields[code]
  const name = last === undefined ? field : typeof last === 'number' ? `an entry in ${field}` : `\`${shorten(last)}\` in ${field}`
  const message =
    on === 'key'
      ? `Unexpected ${found} in ${field}, expected ${expected}`
      : `Unexpected ${found} for ${name}, expected ${expected}`
  const pointer = partPointer(place.pointer, path)
  // A schema around its own values is in sight.
  const related = place.pointer.startsWith(`${schema.pointer}/`) && place.file === schema.file ? [] : [toRelated(schema)]
  return { code, message, file: place.file, pointer, on, section, related, ...(hint === undefined ? {} : { hint }) }
}

function toRelated({ file, pointer }: Place) {
  return { file, pointer, on: 'key', message: 'the schema' } as const
}
