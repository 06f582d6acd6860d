import { type MdxElement, type MdxNode, toProps } from '../../script/values/values.ts'

const toNames = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const inlineNames = toNames(
  'a abbr b bdi bdo br cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u var wbr',
)
const inlineComponents = toNames('Tooltip Icon Badge Kbd Latex')
const inTextNames = toNames('img picture svg label data font audio tt strike big Button Link Unavailable Visibility')

/** Whether a node is inline content, without images. */
export function isInline(node: MdxNode): boolean {
  return node.kind === 'text' || (node.kind === 'element' && (inlineNames.has(node.name) || inlineComponents.has(node.name)))
}

/** Whether a node is inline content, including images. */
export function isInText(node: MdxNode): boolean {
  return isInline(node) || (node.kind === 'element' && inTextNames.has(node.name))
}

/** Elements that contain only text. */
const textNames = toNames(
  'p h1 h2 h3 h4 h5 h6 summary label code kbd samp var tt ' +
    'abbr b bdi bdo big cite del dfn em font i ins mark q s small span strike strong sub sup u',
)
/** Elements that contain text or blocks. */
const textOrBlockNames = toNames('a caption dd dt figcaption li td th')

/**
 * The content that an element can have. MDX reads text on its own lines as a paragraph, which `<p>`, `<h1>` and `<code>` cannot
 * contain, and which `<li>` and `<td>` need only if there are several.
 */
export function fitContent(element: MdxElement): MdxElement {
  const { name, children } = element
  let hasParagraph = false
  for (const child of children) if (child.kind === 'element' && child.name === 'p') hasParagraph = true
  if (!hasParagraph && name !== 'p') return element
  const isText = textNames.has(name)
  if (!isText && !textOrBlockNames.has(name)) return element
  const blocks = children.filter((child) => child.kind !== 'text' || child.value.trim() !== '')
  const paragraphs = blocks.filter(isPlainParagraph)
  if (isText ? paragraphs.length === 0 : paragraphs.length !== 1 || blocks.length !== 1) {
    return name === 'p' && !children.every(isInText) ? { ...element, name: 'div' } : element
  }
  if (name === 'p' && (paragraphs.length > 1 || !blocks.every((child) => isPlainParagraph(child) || isInText(child)))) {
    return { ...element, name: 'div' }
  }
  const flat = blocks.flatMap((child, index): readonly MdxNode[] => {
    if (!isPlainParagraph(child)) return [child]
    const before = blocks[index - 1]
    return before && isPlainParagraph(before) ? [lineBreak(child), ...child.children] : child.children
  })
  return { ...element, children: flat }
}

function isPlainParagraph(node: MdxNode): node is MdxElement {
  return node.kind === 'element' && node.name === 'p' && Object.keys(node.props).length === 0
}

function lineBreak({ place }: MdxElement): MdxElement {
  return { kind: 'element', name: 'br', props: toProps([]), children: [], place }
}
