import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type ChangeCode, changeCodes, changeLevels, defaultLevel } from '../src/changes/change.ts'
import { readExample } from '../src/cli/commands/explain-command.ts'
import { toBodyDocument } from '../test/changes/compare-documents.ts'
import { completeExample } from '../test/openapi/complete-example.ts'

// Writes the pairs of documents that test the comparison of APIs, for other tools: FOLDER/NNNN/{base.yaml,revision.yaml,expected.json}.
// Usage: `node scripts/write-change-suite.ts FOLDER`. `test/changes/suite/README.md` describes the files.

interface Pair {
  readonly title: string
  readonly base: string
  readonly revision: string
  /** The highest level of the changes, or `none`. */
  readonly level: string
  /** All changes, if they are known, with the direction of each. */
  readonly changes?: readonly { readonly code: string; readonly level: string; readonly in: string; readonly reason?: string }[]
}

interface Row {
  readonly title: string
  readonly base: unknown
  readonly revision?: unknown
  readonly [key: string]: unknown
}

const tables = join(import.meta.dirname, '../test/changes')
const readTable = <T>(name: string): T => parse(readFileSync(join(tables, `${name}.yaml`), 'utf8'))
const highest = (levels: readonly string[]) => changeLevels.find((level) => levels.includes(level)) ?? 'none'
/** A change with the reason of its code, which says what a change breaks. */
const toChange = (code: ChangeCode, level: string, place: string) => ({
  ...{ code, level, in: place },
  ...(level !== 'compatible' && { reason: changeCodes[code].why }),
})

/** The pairs of all tables. */
export function listPairs(): readonly Pair[] {
  return [...listExamples(), ...listSchemas(), ...listDirections(), ...listOperations()]
}

/** The example of each code, without those that need a setting. */
function listExamples(): Pair[] {
  const codes = (Object.keys(changeCodes) as ChangeCode[]).filter((code) => !/^sunset-(?:missing|too-soon)$/.test(code))
  return codes.map((code) => {
    const level = highest([defaultLevel(code, 'request'), defaultLevel(code, 'response')])
    const [base, revision] = [completeExample(readExample(code, '-')), completeExample(readExample(code, '+'))]
    return { title: changeCodes[code].title, base, revision, level, changes: [toChange(code, level, 'either')] }
  })
}

/** Two schemas of a body that is sent and received. */
function listSchemas(): Pair[] {
  return Object.values(readTable<Record<string, Row[]>>('schemas')).flatMap((rows) =>
    rows.map((row) => {
      const toText = (schema: unknown) => (typeof schema === 'string' ? schema : JSON.stringify(schema))
      const toRest = (components: unknown) => (components ? `components: ${JSON.stringify(components)}` : '')
      const { baseComponents } = row
      const revisionComponents = row['revisionComponents'] ?? baseComponents
      const changes = (row['changes'] as string[]).flatMap((line) => {
        const [code = '', request = '', response = ''] = line.split(' ')
        // A test checks that the tables contain only codes that exist.
        const inBoth = [['request', request] as const, ['response', response] as const]
        return inBoth.flatMap(([direction, level]) => (level === '-' ? [] : [toChange(code as ChangeCode, level, direction)]))
      })
      return {
        title: row.title,
        base: toBodyDocument(toText(row.base), toRest(baseComponents)),
        revision: toBodyDocument(toText(row.revision), toRest(revisionComponents)),
        level: highest(changes.map(({ level }) => level)),
        changes,
      }
    }),
  )
}

/** Changes of an operation, and of the same one as a webhook. */
function listDirections(): Pair[] {
  const toText = (at: object) => JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, ...at })
  return readTable<Row[]>('directions').flatMap(({ title, base, revision, inRequest, inWebhook }) => {
    const toPath = (post: unknown) => toText({ paths: { '/pets': { post } } })
    const toWebhook = (post: unknown) => toText({ webhooks: { added: { post } } })
    return [
      { title, base: toPath(base), revision: toPath(revision), level: String(inRequest) },
      { title: `${title}, in a webhook`, base: toWebhook(base), revision: toWebhook(revision), level: String(inWebhook) },
    ]
  })
}

/** What applied before to a status code, media type or parameter. */
function listOperations(): Pair[] {
  return readTable<Row[]>('what-applies').map(({ title, base, revision, level, components }) => {
    const [before, after] = (components ?? []) as readonly [unknown?, unknown?]
    return { title, base: toOperation(base, before), revision: toOperation(revision, after), level: String(level) }
  })
}

/** A document with one operation, or none. */
export function toOperation(operation: unknown, schemas: unknown = {}): string {
  const pathItem = operation ? { post: { responses: { '200': { description: 'A' } }, ...operation } } : undefined
  const securitySchemes = { key: { type: 'http', scheme: 'bearer' } }
  const paths = pathItem ? { '/a': pathItem } : {}
  return JSON.stringify({ openapi: '3.2.0', info: { title: 'A', version: '1' }, paths, components: { schemas, securitySchemes } })
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('Missing the folder: node scripts/write-change-suite.ts FOLDER')
  const pairs = listPairs()
  for (const [index, { base, revision, ...expected }] of pairs.entries()) {
    const path = join(folder, String(index + 1).padStart(4, '0'))
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'base.yaml'), base)
    writeFileSync(join(path, 'revision.yaml'), revision)
    writeFileSync(join(path, 'expected.json'), `${JSON.stringify(expected, undefined, 2)}\n`)
  }
  console.log(`${pairs.length} pairs in ${folder}`)
}
