import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { createRandom } from '../random.ts'
import type { ChangedSource } from './sabotages.ts'

/** A file of the app with one change that was generated, so that nobody chose what the simulation notices. */
interface Mutant extends ChangedSource {
  /** Its place and what was changed, for people: `store/queue/jobs.ts:12 without its await: …` */
  readonly name: string
}

/** What the simulation plays, below `src`. */
const places = ['app/jobs', 'app/github-events', 'app/publish', 'store/queue', 'store/sites', 'store/records']

/** A node of the syntax tree, whatever its type. */
interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

interface Change {
  readonly what: string
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** Notes in `globalThis` that the changed place was reached. What no history reaches is left to other tests. */
const reach = 'globalThis.isMutantReached = true'

/** `count` mutants that this seed chooses from all possible ones. */
export function createMutants(seed: number, count: number): readonly Mutant[] {
  const random = createRandom(seed)
  const left = listMutants()
  const chosen: Mutant[] = []
  while (chosen.length < count && left.length > 0)
    chosen.push(...left.splice(Math.floor(random() * left.length), 1).map((create) => create()))
  return chosen
}

/** Every possible mutant. */
function listMutants(): (() => Mutant)[] {
  const root = new URL('../../../src/', import.meta.url)
  return places.flatMap((place) => {
    const files = readdirSync(fileURLToPath(new URL(place, root)), { recursive: true, encoding: 'utf8' })
    return files
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .flatMap((name) => {
        const { href } = new URL(join(place, name), root)
        const source = readFileSync(fileURLToPath(href), 'utf8')
        const { program } = parseSync(href, source, { lang: 'ts' })
        return listChanges(program as unknown as SyntaxNode, source).map((change) => () => {
          const line = source.slice(0, change.start).split('\n').length
          const text = source.slice(change.start, change.end).replaceAll(/\s+/g, ' ').slice(0, 100)
          return {
            name: `${join(place, name)}:${line} ${change.what}: ${text}`,
            url: href,
            source: source.slice(0, change.start) + change.replacement + source.slice(change.end),
          }
        })
      })
  })
}

/** Where a node is. */
interface Surroundings {
  readonly isInFunction: boolean
  readonly isInTry: boolean
  /** Whether it is a whole statement. */
  readonly isStatement: boolean
}

/** All changes of the code in functions below a node, which runs in histories and not while files are loaded. */
function listChanges(program: SyntaxNode, source: string): Change[] {
  const changes: Change[] = []
  const textOf = ({ start, end }: SyntaxNode) => source.slice(start, end)
  const add = ({ start, end }: { readonly start: number; readonly end: number }, what: string, replacement: string) =>
    changes.push({ what, start, end, replacement })
  const visit = (node: SyntaxNode, { isInFunction, isInTry, isStatement }: Surroundings): void => {
    if (isInFunction) {
      const { argument, test, callee, body } = node as Readonly<Record<string, SyntaxNode | undefined>>
      if (node.type === 'AwaitExpression' && argument) {
        // At the beginning of a line, a parenthesis would call the line before.
        const start = isStatement ? 'void ' : ''
        add(node, 'without its await', `${start}(${reach}, ${textOf(argument)})`)
      }
      if ((node.type === 'IfStatement' || node.type === 'ConditionalExpression') && test)
        add(test, 'inverted', `(${reach}, !(${textOf(test)}))`)
      const { object, property } = (callee ?? {}) as Readonly<Record<string, SyntaxNode | undefined>>
      const isWhere = node.type === 'CallExpression' && property?.['name'] === 'where'
      if (isWhere && object && property)
        add(
          { start: object.start, end: node.end },
          `without .where${source.slice(property.end, node.end).slice(0, 60)}`,
          `(${reach}, ${textOf(object)})`,
        )
      if (node.type === 'ExpressionStatement') add(node, 'removed', `${reach};`)
      if (node.type === 'BlockStatement' && Array.isArray(body)) {
        for (const [index, first] of (body as readonly SyntaxNode[]).entries()) {
          const second = (body as readonly SyntaxNode[])[index + 1]
          if (isWrite(first) && isWrite(second))
            add({ start: first.start, end: second.end }, 'swapped', `${reach}; ${textOf(second)}\n${textOf(first)}`)
        }
      }
    }
    const isFunction = /Function/.test(node.type)
    const isTry = node.type === 'TryStatement' || (isInTry && !isFunction)
    for (const value of Object.values(node).flat()) {
      if (!isNode(value)) continue
      // Outside of `try`, nothing changes if the caller waits instead.
      const isReturned = value.type === 'AwaitExpression' && !isTry && /^(?:Return|Arrow)/.test(node.type)
      const { argument } = value as Readonly<Record<string, SyntaxNode | undefined>>
      visit(isReturned && argument ? argument : value, {
        isInFunction: isInFunction || isFunction,
        isInTry: isTry,
        isStatement: node.type === 'ExpressionStatement',
      })
    }
  }
  visit(program, { isInFunction: false, isInTry: false, isStatement: false })
  return changes
}

function isWrite(node: SyntaxNode | undefined): node is SyntaxNode {
  return node?.type === 'ExpressionStatement' && isNode(node['expression']) && node['expression'].type === 'AwaitExpression'
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
