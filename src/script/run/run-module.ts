import type {
  Directive,
  ExportDefaultDeclaration,
  ExportSpecifier,
  Expression,
  Identifier,
  ImportDeclaration,
  Program,
  Statement,
} from 'estree-jsx'
import { Unevaluable } from '../values/evaluation.ts'
import { toText } from '../values/operators.ts'
import type { Evaluation, ObjectValue, Scope, Value } from '../values/types.ts'
import { builtIn, getEntry, hasEntry, isKind, toObject } from '../values/value-kinds.ts'
import type { MdxPlace } from '../values/values.ts'
import { nameOf, namesOf, readOwn } from './module-names.ts'
import { createScope, declare, declareLazily } from './name-scope.ts'
import { placeOf } from './node-place.ts'
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
  for (const node of body) {
    switch (node.type) {
      case 'ImportDeclaration':
        readImports(node, scope, open)
        break
      case 'ExportAllDeclaration': {
        const opened = open(String(node.source.value), placeOf(node, scope.file))
        if (node.exported) exports.set(nameOf(node.exported), () => opened.all())
        else stars.push(opened)
        break
      }
      case 'ExportNamedDeclaration': {
        if (node.declaration) {
          statements.push(node.declaration)
          for (const name of namesOf(node.declaration)) exports.set(name, () => readOwn(name, scope))
        }
        const place = placeOf(node, scope.file)
        const opened = node.source ? open(String(node.source.value), place) : undefined
        for (const specifier of node.specifiers) exports.set(nameOf(specifier.exported), readSpecifier(specifier, scope, opened))
        break
      }
      case 'ExportDefaultDeclaration': {
        const { name, statement } = toDeclaration(node)
        statements.push(statement)
        exports.set('default', () => readOwn(name, scope))
        break
      }
      default:
        statements.push(node as Statement | Directive)
    }
  }
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

function readImports(node: ImportDeclaration, scope: Scope, open: OpenModule): void {
  const from = String(node.source.value)
  const opened = open(from, placeOf(node.source, scope.file))
  for (const specifier of node.specifiers) {
    const place = placeOf(specifier, scope.file)
    declareLazily(scope, specifier.local.name, () => {
      if (specifier.type === 'ImportNamespaceSpecifier') return opened.all()
      const name = specifier.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(specifier.imported)
      const found = opened.read(name)
      if (!found) throw new Unevaluable(`imports \`${name}\` from \`${from}\`, which does not export it`, place)
      return found.value
    })
  }
}

function readSpecifier(specifier: ExportSpecifier, scope: Scope, opened: RunModule | undefined): () => Value {
  const local = nameOf(specifier.local)
  return () => (opened ? opened.read(local)?.value : readOwn(local, scope))
}
