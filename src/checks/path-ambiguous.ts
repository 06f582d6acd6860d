import type { PathItemEntry } from '../openapi/read/collect-operations.ts'
import { childPlace, typesIn } from '../openapi/references/follow-reference.ts'
import type { Place } from '../text/json/json-values.ts'
import { getOrMake } from '../text/plain/lists.ts'
import { shorten } from '../text/plain/suggest.ts'
import { type Check, type CheckContext, reportPath } from './check-context.ts'

/** A tree of path segments, with templated segments kept separately. Nearly every node has only one kind. */
interface Step {
  fixed: Map<string, Step> | undefined
  templated: Map<string, Step> | undefined
  path: PathItemEntry | undefined
}

/** More comparisons than a real description needs. */
const maxCompared = 200_000

/**
 * Reports two paths that match the same request if neither is more specific, such as `/{entity}/me` and `/books/{id}`. Source: OpenAPI
 * 3.1.1, "Paths Object", "Path Templating Matching".
 *
 * A numeric parameter is assumed not to match a word. An info, because servers take the path with the first fixed segment.
 */
export const pathAmbiguous: Check = (context, report) => {
  const takesWords = createWordMatcher(context)
  const root = toStep()
  let compared = 0
  let current: PathItemEntry | undefined
  /** The first earlier path that is ambiguous with the remaining segments. */
  const find = (
    step: Step,
    steps: readonly string[],
    index: number,
    wider: boolean,
    narrower: boolean,
  ): PathItemEntry | undefined => {
    if (compared++ > maxCompared) return undefined
    const text = steps[index]
    if (text === undefined) {
      const other = wider && narrower ? step.path : undefined
      return other && current && takesWords(other, current) && takesWords(current, other) ? other : undefined
    }
    const same = step.fixed?.get(text) ?? step.templated?.get(text)
    const found = same && find(same, steps, index + 1, wider, narrower)
    if (found) return found
    const isTemplate = text.includes('{')
    for (const others of isTemplate ? [step.templated, step.fixed] : [step.templated]) {
      for (const [other, next] of others ?? []) {
        if (compared++ > maxCompared) return undefined
        const isFixed = others === step.fixed
        const [template, fixed] = isFixed ? [text, other] : [other, text]
        if (other === text || !(isWhole(template) || mayMatch(fixed, template))) continue
        const inside = find(next, steps, index + 1, wider || !isTemplate, narrower || isFixed)
        if (inside) return inside
      }
    }
    return undefined
  }
  for (const path of context.paths) {
    const steps = path.name.split('/')
    current = path
    const first = find(root, steps, 0, false, false)
    add(root, steps, path)
    if (!first) continue
    reportPath(report, path, first, {
      message: `requests can also match \`${shorten(first.name)}\``,
      hint: 'Add a fixed segment to one of the two so that no request matches both',
    })
  }
}

/**
 * Creates a function that checks whether the parameters of one path can match the fixed segments of another. A number does not match a
 * word.
 */
function createWordMatcher({ listParameters, operationsOf, follow }: CheckContext) {
  const numbers = new Map<PathItemEntry, Set<string | undefined>>()
  const listNumbers = (path: PathItemEntry) => {
    const owners = (operationsOf.get(path) ?? []).flatMap(({ pathItem, operation }) => [pathItem, operation])
    const inPath = owners.flatMap(listParameters).filter(({ location }) => location === 'path')
    const typesOf = (parameter: Place) => typesIn(follow.end(childPlace(parameter, 'schema')))
    return new Set(inPath.filter(({ place }) => /^(?:integer|number)$/.test(typesOf(place).join())).map(({ name }) => name))
  }
  return (path: PathItemEntry, other: PathItemEntry) => {
    const others = other.name.split('/')
    return path.name.split('/').every((step, index) => {
      const word = others[index] ?? ''
      const name = /^\{([^{}]+)\}$/.exec(step)?.[1]
      return (
        name === undefined ||
        word.includes('{') ||
        /^-?\d+$/.test(word) ||
        !getOrMake(numbers, path, () => listNumbers(path)).has(name)
      )
    })
  }
}

function toStep(): Step {
  return { fixed: undefined, templated: undefined, path: undefined }
}

function add(root: Step, steps: readonly string[], path: PathItemEntry): void {
  let step = root
  for (const text of steps) {
    const kind = text.includes('{') ? 'templated' : 'fixed'
    step[kind] ??= new Map()
    step = getOrMake(step[kind], text, toStep)
  }
  step.path = path
}

/** A segment that is a single parameter. */
function isWhole(step: string): boolean {
  return step.startsWith('{') && step.indexOf('}') === step.length - 1
}

/** Whether a segment can match a template. Two templates match unless their fixed parts differ. */
function mayMatch(text: string, template: string): boolean {
  const [before, after] = fixedEnds(template)
  const [ownBefore, ownAfter] = fixedEnds(text)
  const begins = ownBefore.startsWith(before) || (text.includes('{') && before.startsWith(ownBefore))
  const ends = ownAfter.endsWith(after) || (text.includes('{') && after.endsWith(ownAfter))
  return begins && ends && (text.includes('{') || text.length > before.length + after.length)
}

function fixedEnds(text: string): [before: string, after: string] {
  const open = text.indexOf('{')
  return open === -1 ? [text, text] : [text.slice(0, open), text.slice(text.lastIndexOf('}') + 1)]
}
