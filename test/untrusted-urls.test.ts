import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsxAttribute, isJsxExpression, isTemplateExpression, type Node } from 'typescript/unstable/ast'
import { type Type, TypeFlags } from 'typescript/unstable/sync'
import { expect, test } from 'vitest'
import { type FoundCode, findByType, openProject } from './support/typed-project.ts'

// `isAllowedUrl` in src/source/allowed-url.ts judges the URLs of a site. What it accepts has a type of its own, so a link without its judgement
// is found by the type of its attribute.

const root = join(import.meta.dirname, '..')

test('every link and image of a site has a URL that was judged', () => {
  const found = findUnjudged(openProject(root, 'tsconfig.json'))
  const ofSites = found.filter(({ file }) => file.startsWith('src/site/render/'))
  expect(ofSites.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([])
})

/** A fragment, or the start of our own URL of an app. */
const ownStart = /^(?:#|cursor:\/\/anysphere\.cursor-deeplink\/)/

test('finds an attribute with a text, and accepts judged URLs, constants and fragments', () => {
  const file = `import { type AllowedUrl, isAllowedUrl } from './allowed-url.ts'
declare namespace JSX { interface IntrinsicElements { [name: string]: object } }
export function show(text: string, url: AllowedUrl | undefined) {
  return [<a href={text} />, <img src={'/' + text} />, <form action={text || url} />,
    isAllowedUrl(text, 'link') && <a href={text} />, <a href={url} />, <a href="/a" />, <a href={'/a'} />, <a href={\`#\${text}\`} />]
}`
  const options =
    '{ "compilerOptions": { "jsx": "preserve", "strict": true, "allowImportingTsExtensions": true }, "files": ["src/a.tsx"] }'
  const judge = readFileSync(join(root, 'src/source/allowed-url.ts'), 'utf8')
  const project = openProject('/p', 'tsconfig.json', {
    '/p/tsconfig.json': options,
    '/p/src/a.tsx': file,
    '/p/src/allowed-url.ts': judge,
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
