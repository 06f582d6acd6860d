import { dirname, join } from 'node:path/posix'
import { type ReadFunction, readCustomFunction } from '../../../src/rules/custom/read-custom-function.ts'
import { type FunctionDefinition, type RuleContext, RuleFailure, type RuleProblem } from '../../../src/rules/ruleset.ts'
import { toSourceFile } from '../../../src/text/plain/source-file.ts'

type Files = Readonly<Record<string, string>>

/** A simple core function: reports strings that do not match. */
const pattern: FunctionDefinition = {
  name: 'pattern',
  checkOptions: (options) =>
    JSON.stringify(options)?.includes('"match"') ? undefined : { message: '`match` is missing', pointer: '' },
  run: (value, options) => {
    const { match } = options as { readonly match: string }
    return typeof value === 'string' && !value.includes(match) ? [{ message: `must match ${match}` }] : []
  },
}

/** Reports values whose type is not that of the schema. */
const schema: FunctionDefinition = {
  name: 'schema',
  checkOptions: () => undefined,
  run: (value, options) => {
    const { type } = (options as { readonly schema: { readonly type?: string } }).schema
    return type === undefined || typeof value === type ? [] : [{ message: `must be ${type}`, path: [] }]
  },
}

const coreFunctions = new Map([pattern, schema].map((one) => [one.name, one]))

/** Reads `functions/check.js`, with other files by their path. */
export function readFunction(code: string, files: Files = {}): ReadFunction {
  const file = {
    name: 'check',
    source: toSourceFile('functions/check.js', Buffer.from(code)),
    load: (specifier: string, from: string) => {
      const path = join(dirname(from), specifier)
      const text = files[path]
      return text === undefined ? undefined : toSourceFile(path, Buffer.from(text))
    },
    coreFunctions,
  }
  return readCustomFunction(file, { steps: 1_000_000 })
}

export function toContext(document: unknown, path: RuleContext['path'] = []): RuleContext {
  return { path, document, unresolved: document, rule: { name: 'my-rule' }, spend: () => {} }
}

interface Call {
  readonly value?: unknown
  readonly options?: unknown
  readonly context?: RuleContext
  readonly files?: Files
}

/** Reads a function and calls it once. A failure is its message, with the code at its place. */
export function callFunction(
  code: string,
  { value, options, context = toContext(value), files }: Call = {},
): readonly RuleProblem[] | string {
  const read = readFunction(code, files)
  const show = ({
    message,
    file,
    offsets,
    hint,
  }: {
    message: string
    file: string
    offsets?: { start: number; end: number }
    hint?: string | undefined
  }) => {
    const text = (file === 'functions/check.js' ? code : files?.[file]) ?? ''
    const at = offsets && offsets.end > offsets.start ? ` at ${text.slice(offsets.start, offsets.end)}` : ''
    return `${message}${at}${hint === undefined ? '' : ` (${hint})`}`
  }
  if (read.kind === 'refused') return show(read.finding)
  try {
    return read.definition.run(value, options, context)
  } catch (error) {
    if (error instanceof RuleFailure) return show(error.finding)
    throw error
  }
}
