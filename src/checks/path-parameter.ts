import type { CollectedOperation, ListedParameter, PathItemEntry } from '../openapi/read/collect-operations.ts'
import { keysOf, toPlaceKey, valueIn } from '../openapi/references/follow-reference.ts'
import type { Place } from '../text/json/json-values.ts'
import { getOrMake, hasRepeated } from '../text/plain/lists.ts'
import { didYouMean, shorten } from '../text/plain/suggest.ts'
import type { Check, CheckContext } from './check-context.ts'
import { findTemplateProblem, templateNames } from './template-names.ts'

/**
 * Reports names of a path template without a path parameter, and path parameters that are not in the template.
 *
 * @see OpenAPI 3.1.1, "Path Templating" and "Parameter Object", `name`
 */
export const pathParameter: Check = (context, report) => {
  for (const [path, operations] of context.operationsOf) checkPath(path, operations, context, report)
}

function checkPath(
  path: PathItemEntry,
  operations: readonly CollectedOperation[],
  context: CheckContext,
  report: Parameters<Check>[1],
): void {
  const pathTemplate = path.name
  // From 3.2 on, an invalid template is reported on its own, and its names are uncertain.
  if (context.release === '3.2' && findTemplateProblem(pathTemplate, '3.2')) return
  const names = new Set(templateNames(pathTemplate))
  // Most paths have no parameters of their own, and nearly all operations fit. Then there is nothing to gather.
  const listsNone = operations.every(({ pathItem }) => context.listParameters(pathItem).length === 0)
  if (listsNone && operations.every(({ operation }) => fits(names, context.listParameters(operation)))) return
  const read = toReadList(names, context)
  const missing = new Map<string, CollectedOperation[]>()
  /** By name. The same mistake is often in each operation of a path. */
  const strays = new Map<string, Map<string, Place>>()
  const elsewhere = new Map<string | undefined, ListedParameter>()
  const seen = new Set<ReadList>()
  for (const operation of operations) {
    const lists = [read(operation.pathItem), read(operation.operation)]
    for (const list of lists) {
      // The list of a path item concerns all its operations.
      if (seen.has(list)) continue
      seen.add(list)
      for (const [name, stray] of list.strays) {
        const known = strays.get(name) ?? new Map<string, Place>()
        strays.set(name, known.set(toPlaceKey(stray), stray))
      }
      for (const parameter of list.elsewhere) getOrMake(elsewhere, parameter.name, () => parameter)
    }
    if (lists.some(({ isUncertain }) => isUncertain)) continue
    for (const name of names) {
      if (lists.some(({ described }) => described.has(name))) continue
      missing.set(name, [...(missing.get(name) ?? []), operation])
    }
  }
  const section = 'Path Templating'
  for (const [name, places] of strays) {
    const [stray, ...others] = places.values()
    if (!stray) continue
    const wanted = [...missing.keys()]
    // A single different name is one problem, reported at the parameter.
    const near = context.suggest(name, () => wanted) ?? (wanted.length === 1 && strays.size === 1 ? wanted[0] : undefined)
    if (near !== undefined) missing.delete(near)
    const message = `Unexpected path parameter \`${shorten(name)}\`: \`${shorten(pathTemplate)}\` has no \`{${shorten(name)}}\``
    const hint = didYouMean(near) ?? `Add \`{${shorten(name)}}\` to the path, or remove the parameter`
    const related = others.map((other) => ({ file: other.file, pointer: other.pointer, message: 'also here' }))
    report({ at: stray, message, hint, section, ...(related.length > 0 && { related }) })
  }
  const query = pathTemplate.includes('?') ? pathTemplate.slice(pathTemplate.indexOf('?')) : ''
  const inQuery = templateNames(query).filter((name) => missing.delete(name))
  if (inQuery.length > 0) {
    const message = `Unexpected query string \`${shorten(query)}\` in a path`
    const hint = 'Remove it from the path and declare parameters with `in: query`'
    report({ at: path.places[0] ?? context.root, message, on: 'key', hint, section })
  }
  for (const [name, lacking] of missing) {
    const other = elsewhere.get(name)
    const hint = other
      ? `Write \`in: path\` and \`required: true\` for the parameter \`${name}\`, which has \`in: ${other.location}\``
      : `Add a parameter with \`name: ${name}\`, \`in: path\` and \`required: true\``
    if (lacking.length === operations.length) {
      const message = `Missing path parameter \`${shorten(name)}\` for \`${shorten(pathTemplate)}\``
      report({ at: path.places[0] ?? context.root, message, on: 'key', hint, section })
      continue
    }
    for (const { fields } of lacking) {
      const message = `Missing path parameter \`${shorten(name)}\` for \`${fields.method.toUpperCase()} ${shorten(pathTemplate)}\``
      report({ at: fields, message, on: 'key', hint, section })
    }
  }
}

/** What a list of parameters means for a path. */
interface ReadList {
  /** The names of the path that it describes, or may describe. */
  readonly described: ReadonlySet<string>
  /** Path parameters with names that the path does not have. */
  readonly strays: readonly (readonly [name: string, entry: Place])[]
  /** Parameters in other places with names of the path. */
  readonly elsewhere: readonly ListedParameter[]
  /** It may describe any name, for example because a reference cannot be resolved. */
  readonly isUncertain: boolean
}

/** Whether the path parameters have exactly the names of a path. */
function fits(names: ReadonlySet<string | undefined>, parameters: readonly ListedParameter[]): boolean {
  const described = parameters.filter(({ location }) => location === 'path').map(({ name }) => name)
  return described.length === names.size && described.every((name) => names.has(name)) && !hasRepeated(described)
}

/** Reads each list once, because all operations of a path share one. */
function toReadList(names: ReadonlySet<string>, context: CheckContext): (owner: Place) => ReadList {
  const known = new Map<unknown, ReadList>()
  return (owner) => getOrMake(known, owner.value, () => readList(owner, names, context))
}

function readList(owner: Place, names: ReadonlySet<string>, context: CheckContext): ReadList {
  const parameters = context.listParameters(owner)
  const described = new Set<string>()
  const elsewhere: ListedParameter[] = []
  const strays: [string, Place][] = []
  for (const parameter of parameters) {
    const { name, location } = parameter
    if (location === 'path' && (name === undefined || !names.has(name))) {
      if (name !== undefined) strays.push([name, parameter.entry])
    } else if (name !== undefined && names.has(name)) {
      if (mayBePathParameter(parameter)) described.add(name)
      else elsewhere.push(parameter)
    }
  }
  // A misspelled list is reported on its own.
  const isUncertainList = hasInvalidParameterList(owner, context) || parameters.some(isUncertain)
  return { described, strays, elsewhere, isUncertain: isUncertainList }
}

/** Whether a parameter may be a path parameter because its reference or name could not be read. */
function isUncertain(parameter: ListedParameter): boolean {
  return parameter.unknown || (parameter.name === undefined && mayBePathParameter(parameter))
}

/** Whether a Path Item or Operation has a misspelled `parameters`, or one that is not a list. */
function hasInvalidParameterList(owner: Place, { suggest }: CheckContext): boolean {
  const list = valueIn(owner, 'parameters')
  if (list !== undefined) return !Array.isArray(list)
  return suggest('parameters', () => keysOf(owner).filter((name) => !name.startsWith('x-'))) !== undefined
}

/** A misspelled or missing `in` is reported on its own. */
function mayBePathParameter({ location }: ListedParameter): boolean {
  return location === undefined || !otherLocations.has(location)
}

const otherLocations = new Set(['query', 'querystring', 'header', 'cookie'])
