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
import { type FoundCode, findByType, type openProject } from './typed-project.ts'

interface Access {
  readonly node: Node
  readonly object: Node
  readonly name: Node
}

/** Lists where code selects a member of an object by a text that is not known when it is written. */
export function findNamedMembers(project: ReturnType<typeof openProject>): readonly FoundCode[] {
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
