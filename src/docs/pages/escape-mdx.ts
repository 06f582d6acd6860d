import { encodeUrl } from '../../text/plain/urls.ts'
/**
 * All untrusted text passes through here before it becomes MDX, which evaluates expressions in braces and `import` statements,
 * and parses tags.
 *
 * No text from an OpenAPI document can run code, produce HTML, or link to anything but a page or a URL with one of `linkSchemes`.
 */

/**
 * Converts the Markdown of a document to MDX. Headings, lists, tables, links and code are preserved. HTML and expressions become
 * plain text.
 */
export function escapeMdx(markdown: string): string {
  const out: string[] = []
  let text: string[] = []
  let fence: string | undefined
  const endText = () => {
    if (text.length > 0) out.push(escapeBlocks(text.join('\n')))
    text = []
  }
  for (const line of markdown
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .trim()
    .split('\n')) {
    if (fence !== undefined) {
      out.push(line)
      if (isEndOf(fence, line)) fence = undefined
      continue
    }
    // An indented fence may belong to a list and end elsewhere. Its code is escaped like any text.
    const [, marks, words = ''] = /^(`{3,}(?!`)(?!.*`)|~{3,}(?!~))(.*)$/.exec(line) ?? []
    if (marks === undefined) text.push(line)
    else {
      endText()
      fence = marks
      out.push(marks + (/^[ \t]*([\w+#.-]*)/.exec(words)?.[1] ?? ''))
    }
  }
  endText()
  if (fence !== undefined) out.push(fence)
  return out.join('\n')
}

/** Renders plain text on one line, without Markdown or MDX syntax. */
export function renderMdxText(text: string): string {
  return toEntities(toOneLine(text), /[&<>{}[\]()\\`*_~$|#!:@]|^[-+=]|^\d+(?=[.)])/g)
}

/** Renders code on one line. */
export function renderMdxCode(text: string): string {
  const line = toOneLine(text)
  if (line !== '' && !/[`{}<>&|$~\\]/.test(line)) return `\`${line}\``
  return `<code>${renderMdxText(line)}</code>`
}

/** Returns the link target if it is an `http` or `https` URL or a page path, otherwise `undefined`. */
export function toSafeLink(target: string): string | undefined {
  if (!/^(https?:\/\/|\/(?!\/))/i.test(target)) return undefined
  const encoded = encodeUrl(target.replace(/[\ud800-\udfff]/gu, ''))
  return encoded.replace(/%25(?=[0-9a-f]{2})/gi, '%').replace(/[()'"*_~$\\|{}<>`&]/g, (sign) => {
    return sign === '&' ? '&amp;' : `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  })
}

function isEndOf(fence: string, line: string): boolean {
  const [, marks = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? []
  return marks.startsWith(fence)
}

/**
 * All other links become text. An allowlist is needed because script schemes can be written in too many ways. A test compares it with
 * `linkSchemes`.
 */
const unsafeLink = /\](?=[(:])(?!\(\s*(?:(?:https?|mailto|tel):|[#/?]|\.{1,2}\/|[\w./-]*[)#?\s])|:\s*(?:https?:\/\/|[#/]))/gi

/** Decides what is code. Remaining backticks are escaped so that MDX finds no other code. */
function escapeBlocks(text: string): string {
  const parts = text.split(/(?<![`\\])(`{1,2})(?!`)([^`\n]+)\1(?!`)/)
  return parts
    .map((part, index) => {
      if (index % 3 === 1) return ''
      return index % 3 === 2 ? renderMdxCode(part.replace(/^ (.*) $/, '$1')) : escapeText(part)
    })
    .join('')
}

function escapeText(text: string): string {
  return toEntities(text, /[<{}$`]|~{3,}|&(?![a-z]{2,8};)|^(?=[ \t]*(?:import|export)\b)/gim).replace(unsafeLink, '&#93;')
}

/** MDX reads a character reference as text everywhere. A backslash would be part of the output in code. */
function toEntities(text: string, signs: RegExp): string {
  return text.replace(signs, (found) =>
    found === '' ? '&#8203;' : [...found].map((sign) => `&#${sign.codePointAt(0)};`).join(''),
  )
}

function toOneLine(text: string): string {
  return text.replace(/[\s\u2028\u2029]+/g, ' ').trim()
}
