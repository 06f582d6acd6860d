import type { Finding } from '../../diagnostics/diagnostic.ts'
import { scriptNames } from '../../script/run/names.ts'
import { createEvaluation } from '../../script/run/read-modules.ts'
import {
  type Evaluation,
  type EvaluationLimits,
  isCallable,
  isKind,
  type MdxPlace,
  refuseFunction,
  spend,
  ThrownValue,
  Unevaluable,
  type Value,
} from '../../script/values/values.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { type FunctionDefinition, type RuleContext, RuleFailure, type RuleProblem } from '../ruleset.ts'
import { countRetained, createDataReader } from './data-values.ts'
import { toContext, toProblems } from './function-context.ts'
import { type CallState, checkOptions, createModules, type ScriptFiles, toPlainFunction } from './modules.ts'

/** A JavaScript file that a ruleset names in `functions`. */
export interface CustomFunctionFile {
  /** As rules use it. */
  readonly name: string
  readonly source: SourceFile
  /**
   * Reads a file that another one imports. `specifier` is relative to the file `from`, such as `../shared/paths.js`. Other extensions are
   * tried in further calls. Returns `undefined` if there is no such file, or for a file that must not be read.
   */
  readonly load: (specifier: string, from: string) => SourceFile | undefined
  /** The core functions by name, which scripts import from `@stoplight/spectral-functions`. */
  readonly coreFunctions: ReadonlyMap<string, FunctionDefinition>
}

type CallLimits = Pick<EvaluationLimits, 'steps'>

export type ReadFunction =
  | { readonly kind: 'read'; readonly definition: FunctionDefinition }
  | { readonly kind: 'refused'; readonly finding: Finding }

/** The limits of one call. What all calls may spend together is limited by their context. */
const defaultLimits: EvaluationLimits = {
  steps: 10_000_000,
  nesting: 800,
  text: 20_000_000,
  items: 1_000_000,
  stepsOfValue: 8,
  areMatchesInterrupted: true,
}

/** The most values that a function may keep between calls, in variables at the top level of its file. */
const maxRetained = 500_000
/** The values that it keeps are counted again after this number of steps. */
const stepsUntilCount = 5_000_000

/**
 * Reads a function of a ruleset. It is evaluated without running code on the host.
 *
 * Never throws. Variables at the top level of the file keep their values during a walk of a document, which has one `RuleContext`.
 */
export function readCustomFunction(file: CustomFunctionFile, { steps }: CallLimits = defaultLimits): ReadFunction {
  const texts = [file.source.text]
  const load: ScriptFiles['load'] = (specifier, from) => {
    const imported = file.load(specifier, from)
    if (imported) texts.push(imported.text)
    return imported
  }
  const files: ScriptFiles = { load, parsed: new Map() }
  const limits = { ...defaultLimits, steps }
  const { name, source } = file
  try {
    const { exported, state } = start(file, files, limits)
    const refusal = refuseKind(exported, file)
    if (refusal) return { kind: 'refused', finding: refusal }
    const started = new WeakMap<RuleContext, StartedFunction>()
    const definition: FunctionDefinition = {
      name,
      readsPath: texts.some((text) => /\bpath\b/.test(text)),
      checkOptions: (options) => checkOptions(exported, options, state),
      run: (value, options, context) => {
        try {
          const one = getOrMake(started, context, () => start(file, files, limits))
          return call(one, value, options, context, source.path)
        } catch (error) {
          const finding = toFinding(error, `Cannot run the function \`${name}\``, source.path)
          if (!finding) throw error
          throw new RuleFailure(finding)
        }
      },
    }
    return { kind: 'read', definition }
  } catch (error) {
    const finding = toFinding(error, `Cannot read the function \`${name}\``, source.path)
    if (!finding) throw error
    return { kind: 'refused', finding }
  }
}

interface StartedFunction {
  readonly evaluation: Evaluation
  readonly state: CallState
  readonly exported: Value
  /** Since the values that it keeps were counted. */
  uncountedSteps: number
}

/** Runs the top level of the file. */
function start({ source, coreFunctions }: CustomFunctionFile, files: ScriptFiles, limits: EvaluationLimits): StartedFunction {
  const evaluation = createEvaluation({ steps: Number.POSITIVE_INFINITY, isReported: false }, { limits, globals: scriptNames })
  const state: CallState = { context: undefined, coreFunctions, schemas: new WeakMap() }
  const modules = createModules(files, evaluation, state)
  return { evaluation, state, exported: toPlainFunction(modules.run(source).read('default')?.value), uncountedSteps: 0 }
}

/** Refuses exports that cannot be called, or only with a generator as the result. */
function refuseKind(exported: Value, { name, source }: CustomFunctionFile): Finding | undefined {
  if (!isCallable(exported)) {
    const hint = 'Export one function: `export default (value, options, context) => { … }` or `module.exports = …`'
    const place = { file: source.path, start: 0, end: 0 }
    return toScriptProblem(`Cannot read the function \`${name}\`: its file does not export a function`, place, hint)
  }
  if (!isKind(exported, 'function') || !exported.node.generator) return undefined
  return toFinding(refuseFunction(exported), `Cannot read the function \`${name}\``, source.path)
}

function call(
  started: StartedFunction,
  value: unknown,
  options: unknown,
  context: RuleContext,
  file: string,
): readonly RuleProblem[] {
  const { evaluation, state, exported } = started
  const { budget } = evaluation
  const place = { file, start: 0, end: 0 }
  budget.depth = 0
  state.context = context
  const reader = createDataReader((steps) => spend(budget, steps, place))
  let problems: readonly RuleProblem[] = []
  try {
    const args = [reader.read(value, () => context.path), reader.read(options ?? null), toContext(context, reader)]
    problems = toProblems(evaluation.call(exported, args, place), evaluation, place)
  } finally {
    const { limits } = budget
    const steps = budget.isUsedUp ? limits.steps : limits.steps - budget.steps
    budget.steps = limits.steps
    budget.isUsedUp = false
    started.uncountedSteps += steps
    context.spend(steps)
  }
  limitRetained(started, place)
  return problems
}

/** Limits the memory of variables at the top level: what a call makes is limited by its steps. */
function limitRetained(started: StartedFunction, place: Unevaluable['place']): void {
  if (started.uncountedSteps < stepsUntilCount) return
  started.uncountedSteps = 0
  if (countRetained(started.exported, maxRetained) > maxRetained)
    throw new Unevaluable(`keeps more than ${maxRetained.toLocaleString('en')} values between its calls`, place, {
      tooComplex: true,
    })
}

/** A problem of a script, which ends the rules that use it. */
function toScriptProblem(message: string, { file, start, end }: MdxPlace, hint?: string): Finding {
  const offsets = { start, end: Math.max(end, start) }
  return { code: 'ruleset-problem', message, file, pointer: '', offsets, hint }
}

/** Says why a script cannot be evaluated. Returns `undefined` for an error of another kind. */
function toFinding(error: unknown, what: string, file: string): Finding | undefined {
  if (error instanceof Unevaluable) {
    const { reason, place } = error
    return toScriptProblem(`${what}: it ${reason}`, { ...place, file: place.file === '' ? file : place.file }, toHint(error))
  }
  // The parser and the evaluation are recursive.
  if (error instanceof RangeError) return toScriptProblem(`${what}: it is nested too deeply`, { file, start: 0, end: 0 })
  return undefined
}

function toHint(error: Unevaluable): string | undefined {
  const { reason } = error
  if (reason === 'uses `async`' || reason === 'uses `await`')
    return 'Remove `async` and `await`: functions are called without waiting for promises'
  if (error instanceof ThrownValue) return 'Correct the function for values of this kind. Spectral stops at this error, too'
  if (error.isTooComplex) return 'Simplify the function, or limit the values that `given` selects'
  if (reason.startsWith('imports '))
    return 'Import only files of the repository, `@stoplight/spectral-core` and `@stoplight/spectral-functions`'
  return reason.startsWith('uses ')
    ? 'Functions are evaluated without running them, with the common parts of JavaScript'
    : undefined
}
