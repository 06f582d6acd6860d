import { escapeText, escapeXml, toWellFormed } from './escape-text.ts'

/** Formats attributes as `name="value"`, separated by spaces. Escapes the values. */
export function toXmlAttributes(values: { readonly [name: string]: string | number }): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(toWellFormed(escapeText(String(value))))}"`)
    .join(' ')
}

/** Escapes lines for the content of an element and joins them. They must be free of control characters, such as after `escapeText`. */
export function toXmlLines(lines: readonly string[]): string {
  return lines.map((line) => escapeXml(toWellFormed(line))).join('\n')
}
