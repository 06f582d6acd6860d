import { type ChangeCode, changeCodes, type UnlocatedChange } from '../../src/changes/change.ts'

/** Pairs of words in codes for a change and its opposite. */
const opposites: readonly (readonly [string, string])[] = [
  ['added', 'removed'],
  ['widened', 'narrowed'],
  ['tightened', 'loosened'],
  ['allowed', 'forbidden'],
  ['deprecated', 'reactivated'],
  ['raised', 'lowered'],
  ['became-required', 'became-optional'],
  ['became-nullable', 'became-not-nullable'],
]

/** For the side that no longer gets a property, `readOnly` or `writeOnly` removes it. */
const hidden = ['required-property-removed', 'optional-property-removed', 'property-removed-from-closed-object'] as const

/** The codes of the opposite change where the words do not tell it, or where it depends on what was there before. */
const special: { readonly [code: string]: readonly ChangeCode[] } = {
  'operation-added': ['operation-removed', 'operation-removed-early', 'operation-removed-deprecated', 'sunset-invalid'],
  'webhook-added': ['webhook-removed'],
  'required-parameter-added': [
    'parameter-removed',
    'required-parameter-removed',
    'parameter-removed-early',
    'parameter-removed-deprecated',
  ],
  'optional-parameter-added': ['parameter-removed', 'parameter-removed-early', 'parameter-removed-deprecated'],
  'required-body-added': ['body-removed'],
  'optional-body-added': ['body-removed'],
  'response-added': ['response-removed', 'error-response-removed'],
  'response-widened': ['response-removed', 'error-response-removed'],
  'required-header-added': ['required-header-removed'],
  'header-added': ['required-header-removed', 'optional-header-removed'],
  'server-values-removed': ['server-changed', 'server-values-removed'],
  'security-tightened': ['security-loosened', 'security-tightened'],
  'security-loosened': ['security-loosened', 'security-tightened'],
  'sunset-moved-up': ['sunset-postponed'],
  'sunset-removed': ['sunset-added'],
  'sunset-invalid': ['sunset-invalid', 'operation-added', 'sunset-added'],
  'extensible-enum-value-removed': ['extensible-enum-changed'],
  'extensible-enum-changed': ['extensible-enum-changed', 'extensible-enum-value-removed'],
  'limit-added': ['limit-removed'],
  // Without `minLength`, the limit is 0.
  'limit-tightened': ['limit-loosened', 'limit-removed'],
  'limit-removed': ['limit-added', 'limit-tightened'],
  'pattern-added': ['pattern-removed', 'pattern-widened'],
  'pattern-widened': ['pattern-added'],
  'required-property-added': ['required-property-removed', 'optional-property-removed'],
  'optional-property-added': ['optional-property-removed', 'required-property-removed'],
  'property-added-to-closed-object': ['optional-property-removed', 'required-property-removed'],
  'constraint-added': ['constraint-removed', 'limit-loosened'],
  'property-became-required': ['property-became-optional'],
  'required-property-no-longer-read-only': ['read-only-changed', 'required-property-added', ...hidden],
  'read-only-changed': ['read-only-changed', ...hidden],
  'write-only-changed': ['write-only-changed', ...hidden],
  'required-property-returned': ['write-only-changed', ...hidden],
  // In a parameter, any text matches `string`, and also `string` or `boolean`.
  'type-widened': ['type-widened', 'type-narrowed'],
  // One of an object and its alternatives allows all values of the other.
  'alternatives-replaced': ['alternatives-replaced', 'constraint-changed'],
  'tuple-item-added': ['tuple-item-removed', 'constraint-removed'],
  'enum-value-added': ['enum-value-removed'],
  'enum-added': ['enum-removed', 'const-removed'],
  'optional-property-removed': ['optional-property-added', 'property-added-to-closed-object', 'constraint-changed'],
  'required-property-removed': ['required-property-added'],
  'property-removed-from-closed-object': [
    ...(['property-added-to-closed-object', 'required-property-added', 'optional-property-added', 'constraint-changed'] as const),
  ],
}

/** The codes that the opposite of a change can have. */
export function listOpposites(code: ChangeCode): ReadonlySet<string> {
  const found = new Set<string>(special[code])
  for (const [other, codes] of Object.entries(special)) if (codes.includes(code)) found.add(other)
  for (const [one, other] of [...opposites, ...opposites.map(([one, other]) => [other, one] as const)]) {
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
    const isMirrored = opposites.length > 0 && paths(change).every((path) => opposites.some((one) => paths(one).includes(path)))
    return isMirrored
      ? []
      : [`${change.code} (${paths(change).join()}) has no opposite in ${back.map(({ code }) => code).join()}`]
  })
}
