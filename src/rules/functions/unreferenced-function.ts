import { entriesOf, isContainer, isObject, parsePointer, readText, unescapePointerSegment } from '../../text/json/json-values.ts'
import type { FunctionDefinition, RuleContext, RuleFunction, RuleProblem } from '../ruleset.ts'
import { checkOptions, type OptionTable, type OptionTest, showValue } from './options.ts'

const isLocation: OptionTest = (value) =>
  typeof value === 'string' && /^#(?:\/.*)?$/s.test(value)
    ? undefined
    : 'the pointer of a mapping, such as `#/components/schemas`'

const table: OptionTable = {
  function: 'unreferencedReusableObject',
  options: { reusableObjectsLocation: isLocation },
  required: ['reusableObjectsLocation'],
  example: '{ reusableObjectsLocation: "#/components/schemas" }',
}

const run: RuleFunction = (value, options, context) => {
  const location = readText(options, 'reusableObjectsLocation')
  return !isObject(value) || location === undefined ? [] : findUnreferenced(value, location, listReferences(context))
}

/**
 * The objects of a mapping are referenced.
 *
 * Source: Spectral, "Core Functions" (docs/reference/functions.md), section "unreferencedReusableObject".
 */
export const unreferencedFunction: FunctionDefinition = {
  name: 'unreferencedReusableObject',
  checkOptions: (options) => checkOptions(table, options),
  run,
}

/**
 * Lists the targets of all references to a document, also from other files, unescaped. Those of an object to itself do not count, and
 * neither do those in the fields beside a reference.
 */
export function listReferences(context: Pick<RuleContext, 'unresolved' | 'namedTargets' | 'spend'>): ReadonlySet<string> {
  const { unresolved, namedTargets = [], spend } = context
  /** As written: most references occur many times. */
  const found = new Set<string>()
  const path: string[] = []
  const visit = (part: object) => {
    spend(1)
    const reference = readText(part, '$ref')
    if (reference !== undefined) {
      if (reference.startsWith('#') && !found.has(reference) && !isAround(reference, path)) found.add(reference)
      return
    }
    for (const key of Object.keys(part)) {
      const value: unknown = part[key as keyof typeof part]
      if (!isContainer(value)) continue
      path.push(key)
      visit(value)
      path.pop()
    }
  }
  if (isContainer(unresolved)) visit(unresolved)
  const named = [...namedTargets].map((pointer) => unescapePointerSegment(`#${pointer}`))
  return new Set([...[...found].map(unescapeReference), ...named])
}

/** Whether the target of a reference contains the location of the reference. */
function isAround(reference: string, path: readonly string[]): boolean {
  return parsePointer(reference.slice(1)).every((step, index) => step === path[index])
}

/** The objects at a location that no reference has as its target. A reference to a part of an object does not count. */
export function findUnreferenced(objects: unknown, location: string, references: ReadonlySet<string>): RuleProblem[] {
  const path = parsePointer(location.slice(1))
  return entriesOf(objects)
    .filter(([name]) => !references.has(`${unescapeReference(location)}/${name}`))
    .map(([name]) => ({ message: `${showValue(name)} is not referenced`, path: [...path, name] }))
}

function unescapeReference(reference: string): string {
  try {
    return unescapePointerSegment(decodeURIComponent(reference))
  } catch {
    return unescapePointerSegment(reference)
  }
}
