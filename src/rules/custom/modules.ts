import { type ParsedScript, parseScript } from '../../script/parse/parse-script.ts'
import { type RunModule, runModule, toModule } from '../../script/run/read-modules.ts'
import {
  builtIn,
  type Evaluation,
  getEntry,
  hasEntry,
  isCallable,
  isKind,
  isReference,
  spend,
  ThrownValue,
  toList,
  toObject,
  Unevaluable,
  type Value,
} from '../../script/values/values.ts'
import { pointerChild } from '../../text/json/json-values.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import type { FunctionDefinition, OptionsProblem, RuleContext, RuleProblem } from '../ruleset.ts'
import { createDataReader, toData } from './data-values.ts'

/** The files of a function, which are read and parsed once. */
export interface ScriptFiles {
  readonly load: (specifier: string, from: string) => SourceFile | undefined
  readonly parsed: Map<string, ParsedScript>
}

interface Modules {
  /** Runs a file. Throws `Unevaluable` for what is not supported. */
  readonly run: (source: SourceFile) => RunModule
}

type Place = Unevaluable['place']

const extensions = ['', '.js', '.cjs', '.mjs', '.json', '/index.js']

/** Runs files and the files that they import, each once. */
export function createModules({ load, parsed }: ScriptFiles, evaluation: Evaluation, state: CallState): Modules {
  const modules = new Map<string, RunModule | 'running'>()
  const open = (specifier: string, place: Place): RunModule => {
    if (!/^\.{1,2}(?:\/|$)/.test(specifier)) {
      const found = openPackage(specifier, evaluation, state)
      if (!found) throw new Unevaluable(`imports \`${specifier}\`, which is not available`, place)
      return found
    }
    for (const extension of extensions) {
      const source = load(specifier + extension, place.file)
      if (source) return run(source, specifier, place)
    }
    throw new Unevaluable(`imports \`${specifier}\`, which cannot be found`, place)
  }
  const run = (source: SourceFile, specifier: string, place: Place): RunModule => {
    const known = modules.get(source.path)
    if (known === 'running') throw new Unevaluable(`imports \`${specifier}\`, which imports this file`, place)
    if (known) return known
    modules.set(source.path, 'running')
    const module = source.path.endsWith('.json') ? readJson(source, evaluation, place) : runScript(source)
    modules.set(source.path, module)
    return module
  }
  const runScript = (source: SourceFile): RunModule => {
    const { fault, file, body } = getOrMake(parsed, source.path, () => parse(source))
    if (fault) throw new Unevaluable(`has a syntax error: ${fault.message}`, { file, start: fault.start, end: fault.start + 1 })
    return runModule(body, file, evaluation, open)
  }
  return { run: (source) => run(source, source.path, { file: source.path, start: 0, end: 0 }) }
}

/** Parses a module, or a CommonJS module that is not in strict mode. */
function parse({ path, text }: SourceFile): ParsedScript {
  const module = parseScript(path, text)
  if (!module.fault) return module
  const script = parseScript(path, text, 'script')
  return script.fault ? module : script
}

function readJson({ path, text }: SourceFile, evaluation: Evaluation, place: Place): RunModule {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    throw new Unevaluable('imports invalid JSON', { file: path, start: 0, end: 0 })
  }
  const value = createDataReader((steps) => spend(evaluation.budget, steps, place)).read(data)
  return toModule(toObject([['default', value]]), value)
}

/** What the packages need of the function and its current call. */
export interface CallState {
  /** Of the current call. */
  context: RuleContext | undefined
  readonly coreFunctions: ReadonlyMap<string, FunctionDefinition>
  /** The schemas of functions that `createRulesetFunction` made. */
  readonly schemas: WeakMap<object, FunctionSchemas>
}

/** JSON Schemas. `null` for the input allows everything, and `null` for the options allows none. */
interface FunctionSchemas {
  readonly input: unknown
  readonly options: unknown
}

/** The packages that functions can import. Others need to run on the host. */
function openPackage(name: string, evaluation: Evaluation, state: CallState): RunModule | undefined {
  if (name === '@stoplight/spectral-functions') {
    const functions = [...state.coreFunctions.values()].map((one): [string, Value] => [one.name, toCallable(one, state)])
    return toModule(toObject(functions))
  }
  if (name !== '@stoplight/spectral-core') return undefined
  const create = builtIn('createRulesetFunction', ([definition, run], _, place) =>
    createRulesetFunction(definition, run, { evaluation, state, place }),
  )
  return toModule(toObject([['createRulesetFunction', create]]))
}

/** These return an empty list without problems, and the others `undefined`. */
const listFunctions = new Set(['schema', 'unreferencedReusableObject'])

/** A core function as a function of the script. */
function toCallable(definition: FunctionDefinition, state: CallState): Value {
  const { name } = definition
  return builtIn(name, ([value, options, context], evaluation, place) => {
    const given = toData(options, evaluation, place) ?? null
    const wrong = definition.checkOptions(given)
    if (wrong) throw new ThrownValue(`calls \`${name}\` with wrong options: ${wrong.message}`, place, wrong.message)
    const problems = definition.run(toData(value, evaluation, place), given, toCallContext(context, state, evaluation, place))
    return problems.length === 0 && !listFunctions.has(name) ? undefined : toList(problems.map(toProblemValue))
  })
}

function toProblemValue({ message, path }: RuleProblem): Value {
  return toObject([['message', message], ...(path ? [['path', toList(path)] as const] : [])])
}

/** The context of a core function: that of the current call, with the path that the script passes. */
function toCallContext(given: Value, { context }: CallState, evaluation: Evaluation, place: Place): RuleContext {
  const current = context ?? toEmptyContext(undefined)
  const path = isKind(given, 'object') && hasEntry(given, 'path') ? getEntry(given, 'path', place) : undefined
  if (!isKind(path, 'list')) return current
  const keys = path.items.map((key) => (typeof key === 'number' ? key : String(toData(key, evaluation, place))))
  const { document, unresolved, rule, spend } = current
  return { document, unresolved, rule, spend, path: keys }
}

function toEmptyContext(document: unknown): RuleContext {
  return { path: [], document, unresolved: document, rule: { name: '' }, spend: () => {} }
}

interface CreateOptions {
  readonly evaluation: Evaluation
  readonly state: CallState
  readonly place: Place
}

/**
 * A function with a test of its value and options.
 *
 * Source: Spectral, `packages/core/src/ruleset/function.ts`.
 */
function createRulesetFunction(definition: Value, run: Value, { evaluation, state, place }: CreateOptions): Value {
  if (!isKind(definition, 'object') || !isCallable(run))
    throw new ThrownValue('calls `createRulesetFunction` without an object and a function', place, 'not a function')
  const read = (key: string) => toData(getEntry(definition, key, place), evaluation, place) ?? null
  const plain = toPlainFunction(run)
  const [input, options, isError] = [read('input'), read('options'), read('errorOnInvalidInput')]
  const created = builtIn('name' in run ? run.name : '', (args, inner, at) => {
    const [value] = args
    if (input !== null && findProblem(input, toData(value, inner, at), state))
      return isError === true ? toList([toObject([['message', 'invalid input']])]) : undefined
    return inner.call(plain, args, at)
  })
  const holder: Value = { ...created, holds: [run] }
  state.schemas.set(holder, { input, options })
  return holder
}

/** Spectral waits for the result of an asynchronous function: without `await`, it is that of a plain one. */
export function toPlainFunction(value: Value): Value {
  if (!isKind(value, 'function') || !value.node.async || value.node.generator) return value
  return { ...value, node: { ...value.node, async: false } }
}

/** Tests the options of a function, if it has a schema for them. */
export function checkOptions(exported: Value, options: unknown, state: CallState): OptionsProblem | undefined {
  const schemas = isReference(exported) ? state.schemas.get(exported) : undefined
  if (!schemas) return undefined
  if (schemas.options !== null) {
    const problem = findProblem(schemas.options, options ?? null, state)
    return problem && { message: problem.message, pointer: (problem.path ?? []).reduce<string>(pointerChild, '') }
  }
  if (options === undefined || options === null) return undefined
  return { message: 'The function does not accept options', pointer: '', hint: 'Remove `functionOptions`' }
}

/** Tests a value against a JSON Schema with the core function `schema`. */
function findProblem(schema: unknown, value: unknown, { coreFunctions }: CallState): RuleProblem | undefined {
  return coreFunctions.get('schema')?.run(value, { schema, dialect: 'draft7' }, toEmptyContext(value))[0]
}
