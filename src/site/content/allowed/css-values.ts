import type { CssNode, Value } from 'css-tree'
import generate from 'css-tree/generator'
import parse from 'css-tree/parser'

/** Longest value of a property, in UTF-16 units. */
const maxLength = 2_000
/** The parser is recursive. */
const maxDepth = 32

const toNames = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Functions that compute a value from their arguments. All others can load a file, read an attribute or run code. */
export const computingFunctions = toNames(
  'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark ' +
    'linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient ' +
    'calc min max clamp round mod rem abs sign sin cos tan sqrt pow hypot var ' +
    'translate translatex translatey translatez translate3d scale scalex scaley scalez scale3d rotate rotatex rotatey rotatez rotate3d ' +
    'skew skewx skewy matrix matrix3d perspective ' +
    'blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia ' +
    'cubic-bezier steps linear minmax repeat fit-content inset circle ellipse polygon counter counters',
)

/**
 * Returns the value of a CSS property in canonical form, or `undefined` if it can do more than change how an element looks: load
 * a file, read an attribute, or end the declaration.
 *
 * Escapes are refused and comments are removed, because both can hide a function.
 */
export function cleanCssValue(text: string): string | undefined {
  const value = text.trim()
  // Most values are a few words and numbers.
  if (/^[\w#%,.+-]+(?: [\w#%,.+-]+)*$/.test(value)) return value.length <= maxLength ? value : undefined
  const [declaration, ...others] = parseDeclarations(`x:${value}`)
  if (declaration?.value === undefined || others.length > 0) return undefined
  return declaration.isImportant ? undefined : toCleanText(declaration.value)
}

/** The declarations of a `style` attribute with clean values. Others are left out. */
export function cleanDeclarations(text: string): readonly (readonly [name: string, value: string])[] {
  return parseDeclarations(text).flatMap(({ name, value }) => {
    const clean = value && toCleanText(value)
    return clean === undefined ? [] : [[name, clean] as const]
  })
}

/** Values that cannot be parsed are `undefined`. */
function parseDeclarations(text: string) {
  if (text.length > 10 * maxLength || text.includes('\\') || isTooDeep(text)) return []
  const list = parse(text, { context: 'declarationList', parseCustomProperty: true })
  if (list.type !== 'DeclarationList') return []
  return list.children.toArray().map((node) => {
    if (node.type !== 'Declaration') return { name: '', value: undefined, isImportant: false }
    const value = node.value.type === 'Value' ? node.value : undefined
    return { name: node.property, value, isImportant: node.important !== false }
  })
}

/** Whether brackets are nested too deeply for the parser. */
export function isTooDeep(text: string): boolean {
  let depth = 0
  for (const [bracket] of text.matchAll(/[()[\]{}]/g)) {
    depth += '([{'.includes(bracket) ? 1 : -1
    if (depth > maxDepth) return true
  }
  return false
}

function toCleanText(value: Value): string | undefined {
  if (!isClean(value)) return undefined
  const text = generate(value)
  return text === '' || text.length > maxLength ? undefined : text
}

function isClean(node: CssNode): boolean {
  switch (node.type) {
    case 'Number':
    case 'Percentage':
      return true
    case 'Dimension':
      return /^[a-z]+$/i.test(node.unit)
    case 'Identifier':
      return /^-{0,2}[a-z_][\w-]*$/i.test(node.name)
    case 'Hash':
      return /^[0-9a-f]{3,8}$/i.test(node.value)
    case 'Operator':
      return /^[,/*+-]$/.test(node.value.trim())
    case 'String':
      return /^[\p{L}\p{N} .,_-]*$/u.test(node.value)
    case 'Function':
      return computingFunctions.has(node.name.toLowerCase()) && node.children.toArray().every((child) => isClean(child))
    case 'Value':
    case 'Parentheses':
    case 'Brackets':
      return node.children.toArray().every((child) => isClean(child))
    // The default of `var(--name, default)` is not parsed.
    case 'Raw':
      return node.value.trim() === '' || cleanCssValue(node.value) !== undefined
    default:
      return false
  }
}
