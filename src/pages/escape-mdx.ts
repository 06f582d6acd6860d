/**
 * The one place where text of strangers becomes MDX, which runs what stands between braces or after `import`, and builds what stands
 * between angle brackets.
 *
 * Whatever a document says, none of it runs, none is HTML, and no link leads to anything but an address or a page.
 */

/** Markdown of a document as MDX: headings, lists, tables, links and code stay what they are; HTML and expressions become text. */
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
    // A fence that is indented may belong to a list, and then ends elsewhere than it seems to: its code is escaped like any text.
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

/** Text on one line in which nothing means anything. */
export function renderMdxText(text: string): string {
  return toEntities(toOneLine(text), /[&<>{}[\]()\\`*_~$|#!:@]|^[-+=]|^\d+(?=[.)])/g)
}

/** Code on one line. */
export function renderMdxCode(text: string): string {
  const line = toOneLine(text)
  if (line !== '' && !/[`{}<>&|$~\\]/.test(line)) return `\`${line}\``
  return `<code>${renderMdxText(line)}</code>`
}

/** The target of a link: an `http` or `https` address, or a path of a page; `undefined` for anything else. */
export function toSafeLink(target: string): string | undefined {
  if (!/^(https?:\/\/|\/(?!\/))/i.test(target)) return undefined
  const encoded = encodeURI(target.replace(/[\ud800-\udfff]/gu, ''))
  return encoded.replace(/%25(?=[0-9a-f]{2})/gi, '%').replace(/[()'"*_~$\\|{}<>`&]/g, (sign) => {
    return sign === '&' ? '&amp;' : `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  })
}

function isEndOf(fence: string, line: string): boolean {
  const [, marks = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? []
  return marks.startsWith(fence)
}

/** Links whose target is not one of these become text: schemes that run something can be written in too many ways to be listed. */
const unsafeLink = /\](?=[(:])(?!\(\s*(?:https?:\/\/|mailto:|[#/?]|\.{1,2}\/|[\w./-]*[)#?\s])|:\s*(?:https?:\/\/|[#/]))/gi

/** What is code is settled here: a backtick that is left over is text, so that MDX sees no other code. */
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

/** A character reference is text wherever MDX reads it, whereas a backslash is a part of code. */
function toEntities(text: string, signs: RegExp): string {
  return text.replace(signs, (found) =>
    found === '' ? '&#8203;' : [...found].map((sign) => `&#${sign.codePointAt(0)};`).join(''),
  )
}

function toOneLine(text: string): string {
  return text.replace(/[\s\u2028\u2029]+/g, ' ').trim()
}
