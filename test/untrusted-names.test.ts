import { join } from 'node:path'
import {
  isAsExpression,
  isBinaryExpression,
  isElementAccessExpression,
  isFunctionLikeDeclaration,
  isNumericLiteral,
  isStringLiteral,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast'
import { type Type, TypeFlags } from 'typescript/unstable/sync'
import { expect, test } from 'vitest'
import { type FoundCode, findByType, openProject } from './support/typed-project.ts'

// `table[name]` finds `constructor` and `toString` in every object, and an assignment to `__proto__` replaces what the object inherits from.
// A name of a document is therefore looked up in a `Map` or with `readOwn`, and set with `setOwn`.

const root = join(import.meta.dirname, '..')

/** Files that select members by text, with the reason why no document chooses it. */
const trusted: Readonly<Record<string, string>> = {
  'src/source/is-object.ts': 'the functions for all others',
  'src/store/sqlite/node-sqlite.ts': 'the columns of our own queries',
  'src/openapi/check-description.ts': 'the codes of our own checks',
  'src/app/setup/setup-page.tsx': 'the permissions of our own app',
  'src/site/content/evaluate/read-member.ts': 'compares names with the methods of JavaScript, and calls none',
  'src/site/client/diagrams/describe-diagram.ts': 'one of the names in a pattern',
  'src/site/render/api/schema-words.ts': 'one of the names in a pattern',
  'src/site/render/components/palette.ts': 'one of the names in a pattern',
}

test.each(['tsconfig.json', 'tsconfig.browser.json'])('no text of a document selects a member of an object: %s', (config) => {
  const found = findNamedMembers(openProject(root, config)).filter(({ file }) => !(file in trusted))
  expect(found.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([])
})

test('finds text that reads and sets members, also with a cast, and accepts indexes, known names and own names', () => {
  const wrong = ['table[name]', 'table[name as "a"]', 'table[given]', 'name in table', 'other[name.trim()]']
  const right = ['table["a"]', 'table[known]', 'list[at]', '"a" in table', 'Object.hasOwn(table, own) && table[own]']
  const lines = [...wrong, 'table[name] = 1', ...right].map((code) => `  ${code}`)
  const file = `declare const table: { readonly [name: string]: unknown }, other: { a: 1 }, list: string[], given: any
export function read(name: string, own: string, known: 'a' | 'b', at: number) {
${lines.join('\n')}
}`
  const files = { '/p/tsconfig.json': '{ "files": ["src/a.ts"] }', '/p/src/a.ts': file }
  const found = findNamedMembers(openProject('/p', 'tsconfig.json', files))
  expect(found.map(({ text }) => text)).toEqual([...wrong, 'table[name]'])
})

interface Access {
  readonly node: Node
  readonly object: Node
  readonly name: Node
}

function findNamedMembers(project: ReturnType<typeof openProject>): readonly FoundCode[] {
  return findByType<Access>(project, {
    find: toAccess,
    typed: ({ name }) => name,
    isWrong: (access, type) => (isAsExpression(access.name) || isText(type)) && !isOwnName(access),
    shown: ({ node }) => node,
  })
}

/** `object[name]` and `name in object`, unless the name is a literal. */
function toAccess(node: Node): Access | undefined {
  const access = isElementAccessExpression(node)
    ? { node, object: node.expression, name: node.argumentExpression }
    : isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword
      ? { node, object: node.right, name: node.left }
      : undefined
  return access && (isStringLiteral(access.name) || isNumericLiteral(access.name)) ? undefined : access
}

function isText(type: Type | undefined): boolean {
  if (!type) return false
  if (type.isUnionType()) return type.getTypes().some(isText)
  return (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.String)) !== 0
}

/** Whether the function around an access asks for the object's own names, with the same words. */
function isOwnName({ node, object, name }: Access): boolean {
  const source = node.getSourceFile()
  const words = { object: object.getText(source), name: (isAsExpression(name) ? name.expression : name).getText(source) }
  let outermost = node
  for (let around = node; around.parent; around = around.parent) if (isFunctionLikeDeclaration(around)) outermost = around
  const text = outermost.getText(source)
  return [
    `Object.hasOwn(${words.object}, ${words.name})`,
    `Object.keys(${words.object})`,
    `for (const ${words.name} in ${words.object})`,
  ].some((guard) => text.includes(guard))
}
