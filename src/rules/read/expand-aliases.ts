import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import type { Alias } from './types.ts'

interface ExpandOptions {
  /** Finds an alias, with all names for hints. */
  readonly find: (name: string) => Alias | undefined
  readonly names: () => Iterable<string>
  /** The formats of the document. Undefined: expand all targets, to check them. */
  readonly formats: ReadonlySet<string> | undefined
}

type Expanded =
  | { readonly kind: 'expanded'; readonly given: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string; readonly hint?: string | undefined }

/** The most expressions of a rule. Aliases can refer to each other, so that a short ruleset could stand for any number of them. */
export const maxExpressions = 1_000
const maxLength = 10_000

/**
 * Replaces the alias at the start of an expression: `#Operation.parameters` becomes as many expressions as `Operation` has.
 *
 * Source: Spectral, "Aliases" (docs/guides/4c-aliases.md).
 */
export function expandAlias(expression: string, { find, names, formats }: ExpandOptions): Expanded {
  const given: string[] = []
  let left = maxExpressions
  const expand = (text: string, path: readonly string[]): Extract<Expanded, { kind: 'failed' }> | undefined => {
    if (!text.startsWith('#')) {
      given.push(text)
      return undefined
    }
    const [, name] = /^#([A-Za-z0-9_-]+)/.exec(text) ?? []
    if (name === undefined)
      return { kind: 'failed', message: `Unexpected \`${text.slice(0, 20)}\`, expected the name of an alias after \`#\`` }
    if (path.includes(name)) {
      return {
        kind: 'failed',
        message: `Alias \`${name}\` refers to itself: ${[...path.slice(path.indexOf(name)), name].join(' → ')}`,
      }
    }
    const alias = find(name)
    if (!alias) return { kind: 'failed', message: `Unknown alias \`${name}\``, hint: didYouMean(suggest(name, names())) }
    const rest = text.slice(name.length + 1)
    for (const part of givenOf(alias, formats)) {
      if (--left < 0 || part.length + rest.length > maxLength) {
        return {
          kind: 'failed',
          message: `Aliases stand for more than ${maxExpressions} expressions, or for one that is too long`,
        }
      }
      const failure = expand(part + rest, [...path, name])
      if (failure) return failure
    }
    return undefined
  }
  return expand(expression, []) ?? { kind: 'expanded', given }
}

function givenOf(alias: Alias, formats: ReadonlySet<string> | undefined): readonly string[] {
  if (alias.kind === 'simple') return alias.given
  if (!formats) return alias.targets.flatMap((target) => target.given)
  return alias.targets.findLast((target) => target.formats.some((format) => formats.has(format)))?.given ?? []
}
