import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseSync } from 'rolldown/utils'
import { globSync } from 'tinyglobby'
import { copyProject } from '../test/support/changed-copy.ts'
import { createRandom } from '../test/support/random.ts'

// Changes one thing in a file of a room, such as `===` to `!==`, and runs the tests of the room: do they notice? Prints the changes that they do not notice,
// and the share of the others for each room. Works in a copy of the project.
//
// Usage: `node scripts/mutate.ts [--count 10] [--seed N] [ROOM…]`. The same seed makes the same changes.

/** The rooms without a disk or network, and the tests that read their results. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  text: ['test/text'],
  openapi: ['test/openapi', 'test/checks', 'test/docs/check/multi-file.test.ts'],
  model: ['test/model', 'test/openapi', 'test/changes'],
  checks: ['test/checks', 'test/openapi'],
  changes: ['test/changes'],
  rules: ['test/rules'],
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '10' }, seed: { type: 'string', default: String(Date.now() % 1_000_000) } },
})
const asked = positionals.length > 0 ? positionals : Object.keys(rooms)
const unknown = asked.find((room) => !Object.hasOwn(rooms, room))
if (unknown !== undefined) throw new Error(`Unexpected room ${unknown}, expected one of ${Object.keys(rooms).join(', ')}`)

const root = join(import.meta.dirname, '..')
const copy = copyProject()
const random = createRandom(Number(values.seed))

interface Mutant {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly text: string
}

/** What an operator becomes. */
const operators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
}

try {
  console.log(`Seed ${values.seed}`)
  for (const room of asked) scoreRoom(room, rooms[room] ?? [])
} finally {
  copy.remove()
}

function scoreRoom(room: string, tests: readonly string[]): void {
  if (!copy.passes(tests)) throw new Error(`The tests of ${room} fail without a change`)
  const mutants = globSync(`src/${room}/**/*.ts`, { cwd: root }).sort().flatMap(listMutants)
  const chosen = Array.from({ length: Number(values.count) }, () => random.of(mutants))
  const survivors = chosen.filter((mutant) => passes(mutant, tests))
  for (const mutant of survivors) console.log(`  survived: ${describe(mutant)}`)
  console.log(`${room}: ${chosen.length - survivors.length} of ${chosen.length} noticed (${mutants.length} possible changes)`)
}

/** Lists the changes of a file: other operators, conditions that are turned around, other booleans. */
function listMutants(file: string): Mutant[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found: Mutant[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, left, right, operator, test, value, start, end } = node as Readonly<Record<string, unknown>> // Any node.
    const other = operators[String(operator)]
    if ((type === 'BinaryExpression' || type === 'LogicalExpression') && other !== undefined) {
      const from = endOf(left) + text.slice(endOf(left), startOf(right)).indexOf(String(operator))
      found.push({ file, start: from, end: from + String(operator).length, text: other })
    }
    if ((type === 'IfStatement' || type === 'ConditionalExpression') && test)
      found.push({ file, start: startOf(test), end: endOf(test), text: `!(${text.slice(startOf(test), endOf(test))})` })
    if (type === 'Literal' && typeof value === 'boolean')
      found.push({ file, start: Number(start), end: Number(end), text: String(!value) })
    for (const [key, child] of Object.entries(node)) if (!/^type(?:Annotation|Parameters|Arguments)$/.test(key)) visit(child)
  }
  visit(parseSync(file, text).program)
  return found
}

function startOf(node: unknown): number {
  return (node as { readonly start: number }).start // Every node has offsets.
}

function endOf(node: unknown): number {
  return (node as { readonly end: number }).end // As above.
}

/** Whether the tests pass with a change, so that none of them notices it. */
function passes({ file, start, end, text }: Mutant, tests: readonly string[]): boolean {
  const before = readFileSync(join(root, file), 'utf8')
  return copy.passes(tests, { file, source: before.slice(0, start) + text + before.slice(end) })
}

function describe({ file, start, end, text }: Mutant): string {
  const before = readFileSync(join(root, file), 'utf8')
  return `${file}:${before.slice(0, start).split('\n').length} \`${before.slice(start, end)}\` to \`${text}\``
}
