import type {
  Directive,
  ExportSpecifier,
  Expression,
  Function as FunctionNode,
  ImportDeclaration,
  ModuleDeclaration,
  Pattern,
  Program,
  Statement,
  VariableDeclaration,
} from 'estree-jsx'
import { Unevaluable } from '../values/evaluation.ts'
import type { Evaluation, ObjectValue, Scope, Value } from '../values/types.ts'
import { toObject } from '../values/value-kinds.ts'
import type { MdxPlace } from '../values/values.ts'
import { bindPattern, listNames } from './bind-pattern.ts'
import { toFunction } from './call-function.ts'
import { nameOf, namesOf, readOwn } from './module-names.ts'
import { createScope, declare, declareLazily } from './name-scope.ts'
import { placeOf } from './node-place.ts'

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
export interface ImportedModule {
  readonly read: (name: string, place: MdxPlace) => Value
  readonly module?: EvaluatedModule
}

type TopLevel = Program['body'][number] & (Directive | Statement | ModuleDeclaration)

/** Declares the names of a module in `module.scope`. Later names override earlier ones. */
export function readModuleBody(
  body: readonly TopLevel[],
  module: EvaluatedModule,
  evaluation: Evaluation,
  imports: ModuleImports,
): void {
  const { scope, exports } = module
  for (const node of body) {
    switch (node.type) {
      case 'ImportDeclaration':
        readImport(node, scope, imports)
        break
      case 'ExportAllDeclaration': {
        const place = placeOf(node, scope.file)
        const opened = imports.open(String(node.source.value), place)
        if (node.exported) exports.set(nameOf(node.exported), () => opened.read('*', place))
        else if (opened.module) module.stars.push(opened.module)
        break
      }
      case 'ExportNamedDeclaration': {
        if (isTypeOnly(node)) break
        if (node.declaration) {
          readDeclaration(node.declaration, scope, evaluation)
          for (const name of namesOf(node.declaration)) exports.set(name, () => readOwn(name, scope))
          break
        }
        const place = placeOf(node, scope.file)
        const opened = node.source ? imports.open(String(node.source.value), place) : undefined
        for (const specifier of node.specifiers) readExport(specifier, module, opened)
        break
      }
      case 'ExportDefaultDeclaration': {
        const { declaration } = node
        const isFunction = declaration.type === 'FunctionDeclaration'
        if (isFunction && 'id' in declaration && declaration.id) readDeclaration(declaration as Statement, scope, evaluation)
        const place = placeOf(node, scope.file)
        exports.set(
          'default',
          readOnce(place, () => {
            if (isFunction) return toFunction(declaration as FunctionNode, declaration.id?.name ?? '', scope)
            if (declaration.type === 'ClassDeclaration') throw new Unevaluable('uses a class', place)
            return evaluation.evaluate(declaration as Expression, scope)
          }),
        )
        break
      }
      default:
        readDeclaration(node, scope, evaluation)
    }
  }
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

function readImport(node: ImportDeclaration, scope: Scope, imports: ModuleImports): void {
  if (isTypeOnly(node)) return
  const opened = imports.open(String(node.source.value), placeOf(node, scope.file))
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

function readExport(specifier: ExportSpecifier, { scope, exports }: EvaluatedModule, opened: ImportedModule | undefined): void {
  if (isTypeOnly(specifier)) return
  const place = placeOf(specifier, scope.file)
  const local = nameOf(specifier.local)
  exports.set(
    nameOf(specifier.exported),
    readOnce(place, () => (opened ? opened.read(local, place) : readOwn(local, scope))),
  )
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
