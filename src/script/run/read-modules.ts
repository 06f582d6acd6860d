import type {
  Directive,
  ExportDefaultDeclaration,
  Expression,
  Function as FunctionNode,
  Identifier,
  ImportDeclaration,
  Literal,
  Pattern,
  Program,
  Statement,
  VariableDeclaration,
} from 'estree-jsx'
import { toText } from '../values/operators.ts'
import {
  builtIn,
  type Evaluation,
  type EvaluationLimits,
  type GlobalNames,
  getEntry,
  hasEntry,
  isKind,
  type MdxPlace,
  type ObjectValue,
  pageLimits,
  placeOf,
  type Scope,
  type SiteBudget,
  toObject,
  Unevaluable,
  type Value,
} from '../values/values.ts'
import { bindPattern, listNames } from './bind-pattern.ts'
import { callFunction, toFunction } from './call-function.ts'
import { evaluateExpression } from './evaluate-expression.ts'
import { createScope, declare, declareLazily, findBinding, pageNames, readBinding } from './names.ts'
import { runBody } from './run-statements.ts'

type TopLevel = Program['body'][number]

/** A module that was run, as its importers see it. */
export interface RunModule {
  /** Reads an export of an ES module, also `default`. `undefined` is no export. */
  readonly read: (name: string) => { readonly value: Value } | undefined
  /** What `require` returns. */
  readonly all: () => Value
}

/** Finds the module of an import. Throws `Unevaluable` for one that does not exist. */
type OpenModule = (from: string, place: MdxPlace) => RunModule

/** Runs the statements of a file in order, as Node.js does: of an ES module, or of a CommonJS module if it imports and exports nothing. */
export function runModule(body: readonly TopLevel[], file: string, evaluation: Evaluation, open: OpenModule): RunModule {
  return body.some((node) => /^(?:Import|Export)/.test(node.type))
    ? runEsModule(body, createScope(undefined, file, true), evaluation, open)
    : runCommonJs(body, createScope(undefined, file, true), evaluation, open)
}

/** A module of values, such as a JSON file or a package that is implemented here. */
export function toModule(exports: ObjectValue, all: Value = exports): RunModule {
  const place = { file: '', start: 0, end: 0 }
  return {
    read: (name) => (hasEntry(exports, name) ? { value: getEntry(exports, name, place) } : undefined),
    all: () => all,
  }
}

function runCommonJs(body: readonly TopLevel[], scope: Scope, evaluation: Evaluation, open: OpenModule): RunModule {
  const exports = toObject([])
  const module = toObject([['exports', exports]])
  declare(scope, 'exports', exports)
  declare(scope, 'module', module)
  declare(scope, 'this', exports)
  declare(
    scope,
    'require',
    builtIn('require', ([from], _, place) => open(toText(from, evaluation, place), place).all()),
  )
  // Modules that require each other see what was exported so far.
  const all = () => module.entries.get('exports')
  runBody(body as readonly (Statement | Directive)[], scope, evaluation)
  return {
    read: (name) => {
      const value = all()
      const named = isKind(value, 'object') || isKind(value, 'function') ? value.entries : undefined
      if (name !== 'default') return named?.has(name) ? { value: named.get(name) } : undefined
      // Compilers that turn an ES module into CommonJS mark it.
      return { value: named?.get('__esModule') === true && named.has('default') ? named.get('default') : value }
    },
    all,
  }
}

function runEsModule(body: readonly TopLevel[], scope: Scope, evaluation: Evaluation, open: OpenModule): RunModule {
  const exports = new Map<string, () => Value>()
  const stars: RunModule[] = []
  const statements: (Statement | Directive)[] = []
  readTopLevel(body, scope, exports, {
    open: (source) => {
      const from = String(source.value)
      const module = open(from, placeOf(source, scope.file))
      const read = (name: string, at: MdxPlace) => {
        const found = name === '*' ? { value: module.all() } : module.read(name)
        if (!found) throw new Unevaluable(`imports \`${name}\` from \`${from}\`, which does not export it`, at)
        return found.value
      }
      return { read, module }
    },
    addStar: (module) => void stars.push(module),
    declare: (statement) => void statements.push(statement as Statement | Directive),
    readDefault: (node) => {
      const { name, statement } = toDeclaration(node)
      statements.push(statement)
      return () => readDeclared(name, scope)
    },
  })
  runBody(statements, scope, evaluation)
  const read = (name: string): { readonly value: Value } | undefined => {
    const own = exports.get(name)
    if (own) return { value: own() }
    for (const star of stars) {
      const found = name === 'default' ? undefined : star.read(name)
      if (found) return found
    }
    return undefined
  }
  return { read, all: () => toObject([...exports].map(([name, value]) => [name, value()])) }
}

/** The name of a default export, which no code can declare. */
const defaultName = '*default*'

/** Turns `export default …` into a declaration. */
function toDeclaration({ declaration }: ExportDefaultDeclaration): { readonly name: string; readonly statement: Statement } {
  if ((declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') && declaration.id)
    return { name: declaration.id.name, statement: declaration as Statement }
  const init = (
    declaration.type === 'FunctionDeclaration' ? { ...declaration, type: 'FunctionExpression' } : declaration
  ) as Expression
  const id: Identifier = { type: 'Identifier', name: defaultName }
  const statement: Statement = {
    type: 'VariableDeclaration',
    kind: 'const',
    declarations: [{ type: 'VariableDeclarator', id, init }],
  }
  return { name: defaultName, statement }
}

interface EvaluationOptions {
  readonly limits: EvaluationLimits
  readonly globals: GlobalNames
}

const pageOptions: EvaluationOptions = { limits: pageLimits, globals: pageNames }

/** Starts an evaluation, by default of a page. `site` is shared by the pages of a site. */
export function createEvaluation(site: SiteBudget, { limits, globals }: EvaluationOptions = pageOptions): Evaluation {
  const evaluation: Evaluation = {
    effects: 0,
    themeStates: 0,
    isDark: false,
    globals,
    budget: { limits, steps: limits.steps, site, depth: 0, isUsedUp: false },
    evaluate: (node, scope) => evaluateExpression(node, scope, evaluation),
    call: (callee, args, place) => callFunction(callee, args, evaluation, place),
  }
  return evaluation
}

/** A module whose top-level values are evaluated when they are used. */
export interface EvaluatedModule {
  readonly scope: Scope
  /** `default` is the default export. */
  readonly exports: Map<string, () => Value>
  /** `export * from`. */
  readonly stars: EvaluatedModule[]
}

/** Finds imports. */
interface ModuleImports {
  /** Returns a module of the docs directory or a package. Reports one that cannot be read. */
  readonly open: (from: string, place: MdxPlace) => ImportedModule
}

/** What an import can read: its exports by name, of which `default` and `*` always exist. */
export interface ImportedModule<Module = EvaluatedModule> {
  readonly read: (name: string, place: MdxPlace) => Value
  readonly module?: Module
}

/** How the parts of a module are read. */
interface ModuleReader<Module> {
  readonly open: (source: Literal, node: TopLevel) => ImportedModule<Module>
  /** `export * from`. */
  readonly addStar: (module: Module) => void
  readonly declare: (node: TopLevel) => void
  readonly readDefault: (node: ExportDefaultDeclaration) => () => Value
}

/** Declares the names of imports in a scope, and collects the exports. */
function readTopLevel<Module>(
  body: readonly TopLevel[],
  scope: Scope,
  exports: Map<string, () => Value>,
  { open, addStar, declare: declareNames, readDefault }: ModuleReader<Module>,
): void {
  for (const node of body) {
    switch (node.type) {
      case 'ImportDeclaration':
        if (!isTypeOnly(node)) readImport(node, scope, open(node.source, node))
        break
      case 'ExportAllDeclaration': {
        const place = placeOf(node, scope.file)
        const opened = open(node.source, node)
        if (node.exported) exports.set(nameOf(node.exported), () => opened.read('*', place))
        else if (opened.module) addStar(opened.module)
        break
      }
      case 'ExportNamedDeclaration': {
        if (isTypeOnly(node)) break
        if (node.declaration) {
          declareNames(node.declaration)
          for (const name of namesOf(node.declaration)) exports.set(name, () => readDeclared(name, scope))
        }
        const opened = node.source ? open(node.source, node) : undefined
        for (const specifier of node.specifiers) {
          if (isTypeOnly(specifier)) continue
          const place = placeOf(specifier, scope.file)
          const local = nameOf(specifier.local)
          const read = opened && readOnce(place, () => opened.read(local, place))
          exports.set(nameOf(specifier.exported), read ?? (() => readDeclared(local, scope)))
        }
        break
      }
      case 'ExportDefaultDeclaration':
        exports.set('default', readDefault(node))
        break
      default:
        declareNames(node)
    }
  }
}

/** Declares the names of a module in `module.scope`. Later names override earlier ones. */
export function readModuleBody(
  body: readonly TopLevel[],
  module: EvaluatedModule,
  evaluation: Evaluation,
  imports: ModuleImports,
): void {
  const { scope, exports, stars } = module
  readTopLevel(body, scope, exports, {
    open: (source, node) => imports.open(String(source.value), placeOf(node, scope.file)),
    addStar: (star) => void stars.push(star),
    declare: (node) => readDeclaration(node, scope, evaluation),
    readDefault: (node) => {
      const { declaration } = node
      const isFunction = declaration.type === 'FunctionDeclaration'
      if (isFunction && 'id' in declaration && declaration.id) readDeclaration(declaration as Statement, scope, evaluation)
      const place = placeOf(node, scope.file)
      return readOnce(place, () => {
        if (isFunction) return toFunction(declaration as FunctionNode, declaration.id?.name ?? '', scope)
        if (declaration.type === 'ClassDeclaration') throw new Unevaluable('uses a class', place)
        return evaluation.evaluate(declaration as Expression, scope)
      })
    },
  })
}

export function createModule(file: string, parent?: Scope): EvaluatedModule {
  return { scope: createScope(parent, file, true), exports: new Map(), stars: [] }
}

/** Finds an export, also behind `export * from`. */
export function findExport(module: EvaluatedModule, name: string, seen = new Set<EvaluatedModule>()): (() => Value) | undefined {
  if (seen.has(module)) return undefined
  seen.add(module)
  const own = module.exports.get(name)
  if (own) return own
  for (const star of module.stars) {
    const found = findExport(star, name, seen)
    if (found) return found
  }
  return undefined
}

/** All exports as an object: `import * as icons from …`. */
export function toNamespace(module: EvaluatedModule, seen = new Set<EvaluatedModule>()): ObjectValue {
  const all = toObject([])
  if (seen.has(module)) return all
  seen.add(module)
  for (const star of module.stars) for (const [name, value] of toNamespace(star, seen).entries) all.entries.set(name, value)
  for (const [name, read] of module.exports) all.entries.set(name, read())
  return all
}

/** Reads a value once, and remembers why it could not be read. Reports a value that needs itself. */
function readOnce(place: MdxPlace, read: () => Value): () => Value {
  let state: 'new' | 'reading' | 'read' = 'new'
  let value: Value
  let failure: unknown
  return () => {
    if (state === 'reading') throw new Unevaluable('needs itself, for example because two snippets import each other', place)
    if (state === 'new') {
      state = 'reading'
      try {
        value = read()
      } catch (error) {
        failure = error
      }
      state = 'read'
    }
    if (failure !== undefined) throw failure
    return value
  }
}

/** The parser for TypeScript marks types: `import type`, `export type`. */
function isTypeOnly(node: object): boolean {
  return ('importKind' in node && node.importKind === 'type') || ('exportKind' in node && node.exportKind === 'type')
}

function readImport(node: ImportDeclaration, scope: Scope, opened: ImportedModule<unknown>): void {
  for (const specifier of node.specifiers) {
    if (isTypeOnly(specifier)) continue
    const place = placeOf(specifier, scope.file)
    const name =
      specifier.type === 'ImportDefaultSpecifier'
        ? 'default'
        : specifier.type === 'ImportSpecifier'
          ? nameOf(specifier.imported)
          : '*'
    declareLazily(
      scope,
      specifier.local.name,
      readOnce(place, () => opened.read(name, place)),
    )
  }
}

function readDeclaration(node: TopLevel, scope: Scope, evaluation: Evaluation): void {
  if (node.type === 'VariableDeclaration') readVariables(node, scope, evaluation)
  else if (node.type === 'FunctionDeclaration' && node.id) declare(scope, node.id.name, toFunction(node, node.id.name, scope))
  else if (node.type === 'ClassDeclaration' && node.id) {
    const place = placeOf(node, scope.file)
    declareLazily(scope, node.id.name, () => {
      throw new Unevaluable('uses a class', place)
    })
  } else if (node.type === 'ExpressionStatement') readAddition(node.expression, scope)
}

function readVariables(node: VariableDeclaration, scope: Scope, evaluation: Evaluation): void {
  for (const { id, init } of node.declarations) {
    if (id.type === 'Identifier' && (init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression')) {
      declare(scope, id.name, toFunction(init, id.name, scope))
      continue
    }
    const place = placeOf(id, scope.file)
    const values = new Map<string, Value>()
    const readAll = readOnce(place, () => {
      bindPattern(id, init ? evaluation.evaluate(init, scope) : undefined, scope, evaluation, (target: Pattern, value) => {
        if (target.type === 'Identifier') values.set(target.name, value)
      })
      return undefined
    })
    for (const name of listNames(id)) {
      declareLazily(scope, name, () => {
        readAll()
        return values.get(name)
      })
    }
  }
}

/** Reads `Tabs.Item = …` at the top level. Other statements have no effect on what is shown. */
function readAddition(node: Expression, scope: Scope): void {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return
  const { object, property, computed } = node.left
  if (object.type !== 'Identifier' || computed || property.type !== 'Identifier') return
  const binding = scope.names.get(object.name)
  const owner = binding?.value
  if (typeof owner !== 'object' || owner?.kind !== 'function') return
  const { right } = node
  if (right.type === 'ArrowFunctionExpression' || right.type === 'FunctionExpression')
    owner.entries.set(property.name, toFunction(right, property.name, scope))
  else if (right.type === 'Identifier') owner.entries.set(property.name, scope.names.get(right.name)?.value)
}

/** The name of an import or export, which can be a string. */
function nameOf(node: Identifier | Literal): string {
  return node.type === 'Identifier' ? node.name : String(node.value)
}

/** The names that a statement declares. */
function namesOf(node: Statement): readonly string[] {
  if (node.type === 'VariableDeclaration') return node.declarations.flatMap(({ id }) => listNames(id))
  return (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id ? [node.id.name] : []
}

/** The value of a top-level name of a module. `undefined` if it does not exist. */
function readDeclared(name: string, scope: Scope): Value {
  const binding = findBinding(scope, name)
  return binding && readBinding(binding)
}
