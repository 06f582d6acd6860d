import { isContainer } from '../../text/json/json-values.ts'
import type { Path } from '../ruleset.ts'

/** The values of the placeholders in a message. */
export interface MessageValues {
  /** The last key of the path, or the path of the missing value. */
  readonly property: string | number
  readonly error: string
  readonly description: string
  /** The value in the file. */
  readonly value: unknown
  /** A JSON Pointer such as `#/info/title`. */
  readonly path: string
}

/** Longer messages are cut, so that a long text in each of many problems cannot fill the memory. */
const maxLength = 1_000

/** Cuts a message that is too long to show. */
export function cutMessage(message: string): string {
  return message.length > maxLength ? `${message.slice(0, maxLength)}…` : message
}

/**
 * Replaces placeholders such as `{{property}}`, and `#{{print("property")}}`. Unknown ones become empty.
 *
 * Source: Spectral, "Rulesets", "Message" (docs/getting-started/3-rulesets.md).
 */
export function fillMessage(message: string, values: MessageValues): string {
  if (!message.includes('{{')) return cutMessage(message)
  // What is cut afterwards can be empty placeholders.
  const filled = message.slice(0, maxLength * 10).replace(/(#?)\{\{([^}\n]{1,100})\}\}/g, (_, hash: string, name: string) => {
    if (hash === '') return toText(name.trim(), values).slice(0, maxLength + 1)
    const [, printed] = /^\s*print\(\s*["'](\w+)["']\s*\)\s*$/.exec(name) ?? []
    return (printed === undefined ? toText(name.trim(), values) : print(printed, values)).slice(0, maxLength + 1)
  })
  return cutMessage(filled)
}

function toText(name: string, values: MessageValues): string {
  return name === 'value' ? formatValue(values.value) : isName(name) ? String(values[name]) : ''
}

function isName(name: string): name is Exclude<keyof MessageValues, 'value'> {
  return ['property', 'error', 'description', 'path'].includes(name)
}

function print(name: string, values: MessageValues): string {
  if (name === 'property') return values.property === '' ? 'The document ' : `"${values.property}" property `
  return name === 'value' ? describeValue(values.value) : toText(name, values)
}

/** Formats a value in the way of JavaScript, as rulesets expect: the items of lists, and objects without content. */
function formatValue(value: unknown): string {
  if (Array.isArray(value))
    return value
      .slice(0, maxLength)
      .map((item) => (item === null ? '' : formatItem(item)))
      .join(',')
  return formatItem(value)
}

function formatItem(value: unknown): string {
  return isContainer(value) ? '[object Object]' : String(value)
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'Array[]'
  if (isContainer(value)) return 'Object{}'
  return value === undefined ? 'undefined' : JSON.stringify(value)
}

/** Formats the steps to a missing value, such as `info.contact` or `tags[0]`. */
export function formatSteps(steps: Path): string {
  return steps
    .map((step, index) => {
      if (/^\d+$/.test(String(step))) return `[${step}]`
      if (/^$|\s/.test(String(step))) return `['${step}']`
      return index === 0 ? String(step) : `.${step}`
    })
    .join('')
}
