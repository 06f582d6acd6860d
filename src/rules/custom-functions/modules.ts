import { type ParsedScript, parseScript } from '../../script/parse/parse-script.ts'
import { type RunModule, runModule, toModule } from '../../script/run/run-module.ts'
import { createDataReader } from '../../script/values/data-values.ts'
import { spend, Unevaluable } from '../../script/values/evaluation.ts'
import type { Evaluation } from '../../script/values/types.ts'
import { toObject } from '../../script/values/value-kinds.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { type CallState, openPackage } from './packages.ts'

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
    const script = parsed.get(source.path) ?? parse(source)
    parsed.set(source.path, script)
    const { fault, file, body } = script
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
