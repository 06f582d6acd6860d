import { createRangeSearch, listCodeRanges } from './code-ranges.ts'
import type { OffsetRange } from './position.ts'

/** An image of Markdown without a text in its brackets, or the start of an element. */
const images = /!\[[ \t]*\](?=[[(])|<img(?=[\s/>])/gi

/** The longest element that is read, and the most images of a text. */
const mostLength = 2_000
const mostImages = 1_000

/** The parts of an element up to its end: a quoted string, a value in braces, or a character. */
const parts = /"[^"]*"|'[^']*'|\{[^{}]*\}|[^"'<>]/y

/** Attributes that name an element or hide it from screen readers. With `{...props}`, an element can have them. */
const naming = /[\s"}](?:alt(?=[\s=/>])|aria-|role=)|\{\s*\.\.\./i

/**
 * Lists the images in a text of Markdown, HTML or MDX that have no alternative text, except those in code. `alt=""` marks a decorative image.
 * Does not parse the text.
 */
function listUnnamedImages(text: string): OffsetRange[] {
  const found: OffsetRange[] = []
  let count = 0
  for (const { 0: opening, index: start } of text.matchAll(images)) {
    if (count++ === mostImages) break
    if (text[start - 1] === '\\') continue
    const end = start + opening.length
    if (opening.startsWith('!')) found.push({ start, end })
    else {
      const element = readElement(text.slice(end, end + mostLength))
      if (element && !naming.test(element.shown)) found.push({ start, end: end + element.length })
    }
  }
  if (found.length === 0) return found
  const isCode = createRangeSearch(listCodeRanges(text))
  return found.filter(({ start }) => !isCode(start))
}

/** The attributes of an element up to its `>`, with empty strings; `undefined` if it has no end. */
function readElement(text: string): { readonly shown: string; readonly length: number } | undefined {
  let shown = ''
  let length = 0
  parts.lastIndex = 0
  for (let part = parts.exec(text); part; part = parts.exec(text)) {
    shown += /^["']/.test(part[0]) ? '""' : part[0]
    length = parts.lastIndex
  }
  return text[length] === '>' ? { shown: `${shown}>`, length: length + 1 } : undefined
}

interface DescribedImages {
  readonly message: string
  readonly hint: string
  /** The first one. */
  readonly offsets: OffsetRange
}

/**
 * Describes the images of a text without alternative text; `undefined` if there are none.
 *
 * Source: WCAG 2.2, success criterion 1.1.1.
 */
export function describeUnnamedImages(text: string): DescribedImages | undefined {
  const [first, ...others] = listUnnamedImages(text)
  if (!first) return undefined
  const more = others.length === 0 ? '' : `, like ${others.length} more below`
  return {
    message: `Image has no alternative text${more}: screen readers cannot describe it`,
    hint: 'Describe it: `![Chart of requests](chart.png)`. If it is decorative, write `<img src="chart.png" alt="" />`',
    offsets: first,
  }
}
