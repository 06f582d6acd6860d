import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { escapeText } from '../text/escape-text.ts'
import { toLines } from './describe-error.ts'

/** `openapi-pages: cannot read x.yaml: no such file`, and what to do. Ends with a line end. */
export function describeUnreadable({ code, file, message, hint }: Diagnostic): string {
  const words = code === 'docs-config-missing' ? `cannot find ${file}` : message.replaceAll('`', '')
  const [first = '', ...paste] = (hint ?? '').split('\n')
  const stop = paste.length > 0 ? ':' : first.endsWith('?') ? '' : '.'
  const sentence = `${first.slice(0, 1).toUpperCase()}${first.slice(1)}${stop}`
  const lines = toLines(`${words.slice(0, 1).toLowerCase()}${words.slice(1)}`, hint === undefined ? undefined : sentence)
  return `${lines}${paste.map((line) => `${escapeText(line.replace(/^`|`$/g, ''))}\n`).join('')}`
}
