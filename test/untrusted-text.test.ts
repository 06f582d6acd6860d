import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsxAttribute, isJsxExpression, isTemplateExpression, type Node } from 'typescript/unstable/ast'
import { type Type, TypeFlags } from 'typescript/unstable/sync'
import { expect, test } from 'vitest'
import { findNamedMembers } from './support/named-members.ts'
import { type FoundCode, findByType, openProject } from './support/typed-project.ts'

// `table[name]` finds `constructor` and `toString` in every object, and an assignment to `__proto__` replaces what the object inherits from.
// A name of a document is therefore looked up in a `Map` or with `readOwn`, and set with `setOwn`.
//
// `isAllowedUrl` in src/text/plain/paths.ts judges the URLs of a site. What it accepts has a type of its own, so a link without its judgement
// is found by the type of its attribute.

const root = join(import.meta.dirname, '..')

/** Files that select members by text, with the reason why no document chooses it. */
const trusted: Readonly<Record<string, string>> = {
  'src/text/json/json-values.ts': 'the functions for all others',
  'src/store/sqlite/node-sqlite.ts': 'the columns of our own queries',
  'src/checks/check-description.ts': 'the codes of our own checks',
  'src/app/base/config/app-config.ts': 'the variables of our own settings',
  'src/app/screens/setup/setup-page.tsx': 'the permissions of our own app',
  'src/script/values/read-member.ts': 'compares names with the methods of JavaScript, and calls none',
  'src/site/client/diagrams/describe-diagram.ts': 'one of the names in a pattern',
  'src/site/page/api/schema-words.ts': 'one of the names in a pattern',
  'src/site/page/components/palette.ts': 'one of the names in a pattern',
}

const show = ({ file, line, text }: FoundCode) => `${file}:${line}: ${text}`

// In one test, because the compiler takes seconds to read the program.
test.each(['tsconfig.json', 'tsconfig.browser.json'])(
  'no text of a document selects a member of an object or is a link: %s',
  (config) => {
    const project = openProject(root, config)
    const members = findNamedMembers(project).filter(({ file }) => !(file in trusted))
    expect.soft(members.map(show)).toEqual([])
    const links = findUnjudged(project).filter(({ file }) => file.startsWith('src/site/page/'))
    expect.soft(links.map(show)).toEqual([])
  },
)

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

/** A fragment, or the start of our own URL of an app. */
const ownStart = /^(?:#|cursor:\/\/anysphere\.cursor-deeplink\/)/

test('finds an attribute with a text, and accepts judged URLs, constants and fragments', () => {
  const file = `import { type AllowedUrl, isAllowedUrl } from './urls.ts'
declare namespace JSX { interface IntrinsicElements { [name: string]: object } }
export function show(text: string, url: AllowedUrl | undefined) {
  return [<a href={text} />, <img src={'/' + text} />, <form action={text || url} />,
    isAllowedUrl(text, 'link') && <a href={text} />, <a href={url} />, <a href="/a" />, <a href={'/a'} />, <a href={\`#\${text}\`} />]
}`
  const options =
    '{ "compilerOptions": { "jsx": "preserve", "strict": true, "allowImportingTsExtensions": true }, "files": ["src/a.tsx"] }'
  const judge = readFileSync(join(root, 'src/text/plain/paths.ts'), 'utf8')
  const project = openProject('/p', 'tsconfig.json', {
    '/p/tsconfig.json': options,
    '/p/src/a.tsx': file,
    '/p/src/urls.ts': judge,
  })
  expect(findUnjudged(project).map(({ text }) => text)).toEqual(['href={text}', "src={'/' + text}", 'action={text || url}'])
})

interface Attribute {
  readonly node: Node
  readonly value: Node
}

function findUnjudged(project: ReturnType<typeof openProject>): readonly FoundCode[] {
  return findByType<Attribute>(project, {
    find: (node) => {
      if (!isJsxAttribute(node) || !/^(?:href|src|srcset|poster|action|formaction|data)$/i.test(node.name.getText()))
        return undefined
      const value = node.initializer && isJsxExpression(node.initializer) ? node.initializer.expression : undefined
      return value && { node, value }
    },
    typed: ({ value }) => value,
    isWrong: ({ value }, type) => !(isTemplateExpression(value) && ownStart.test(value.head.text)) && !isJudged(type),
    shown: ({ node }) => node,
  })
}

function isJudged(type: Type | undefined): boolean {
  if (!type) return false
  if (type.isUnionType()) return type.getTypes().every(isJudged)
  const isNothing =
    (type.flags & (TypeFlags.Undefined | TypeFlags.Null | TypeFlags.BooleanLiteral | TypeFlags.StringLiteral)) !== 0
  return isNothing || (type.isIntersectionType() && type.getTypes().length === 2)
}
