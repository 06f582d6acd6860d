import type { CodeToken } from './highlight.ts'

/**
 * The lines of a JSON text in the colours that its grammar gives; absent where the text is not JSON. The examples of a reference are half of its
 * code, and this takes a fiftieth of the grammar's time.
 */
export function colorJson(code: string): readonly (readonly CodeToken[])[] | undefined {
  if (!isJson(code)) return undefined
  const lines: CodeToken[][] = [[]]
  const add = (text: string, kind: CodeToken['kind']) => {
    const line = lines.at(-1)
    const last = line?.at(-1)
    if (line && last && last.kind === kind) line[line.length - 1] = { text: last.text + text, kind }
    else line?.push({ text, kind })
  }
  for (const { 0: text, index } of code.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|\n|[^"\-\dtfn\n]+/g)) {
    if (text === '\n') lines.push([])
    else if (text.startsWith('"')) add(text, isKey(code, index + text.length) ? 'f' : 's')
    else if (/^[-\d]/.test(text)) add(text, 'n')
    else if (/^[tfn]/.test(text)) add(text, 'k')
    else add(text, undefined)
  }
  return lines
}

export function isJson(code: string): boolean {
  try {
    JSON.parse(code)
    return true
  } catch {
    return false
  }
}

function isKey(code: string, end: number): boolean {
  let at = end
  while (code[at] === ' ' || code[at] === '\n' || code[at] === '\t' || code[at] === '\r') at++
  return code[at] === ':'
}
