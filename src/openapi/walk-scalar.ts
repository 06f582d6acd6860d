import { shorten } from './name-value.ts'
import { reportWrongType, reportWrongValue } from './report-fault.ts'
import type { ObjectTable, Shape } from './tables/shape.ts'
import { isEmail, isUri, isUriReference } from './uri.ts'
import type { Walk } from './walk.ts'

/** Checks a number against a shape of one of the kinds for numbers. */
export function walkNumber(walk: Walk, written: unknown, shape: Shape, table: ObjectTable): void {
  // An integer that is read exactly.
  const value = typeof written === 'bigint' ? Number(written) : written
  if (typeof value !== 'number') {
    reportWrongType(walk, table, shape, value)
  } else if (
    shape.kind === 'count' ? !(Number.isInteger(value) && value >= 0) : shape.kind === 'positive' ? !(value > 0) : false
  ) {
    const expected = shape.kind === 'count' ? 'a whole number from 0' : 'a number over 0'
    reportWrongValue(walk, table, { code: 'wrong-value', found: `\`${value}\``, expected })
  } else if (!Number.isFinite(value)) {
    reportWrongValue(walk, table, { code: 'wrong-value', found: `\`${value}\``, expected: 'a finite number' })
  }
}

/** Checks a text against a shape of one of the kinds for text that follows rules. */
export function walkText(walk: Walk, value: string, shape: Shape, table: ObjectTable): void {
  switch (shape.kind) {
    case 'uri-reference':
      if (!isUriReference(value)) reportFormat(walk, table, value, 'an address')
      return
    case 'uri':
      if (!isUri(value)) reportFormat(walk, table, value, 'an absolute address such as `https://example.com/`')
      return
    case 'email':
      if (!isEmail(value)) reportFormat(walk, table, value, 'a mail address')
      return
    case 'pattern':
      if (shape.text !== undefined && !shape.text.allows(value)) reportFormat(walk, table, value, shape.text.expected)
      return
    case 'regex':
      if (!isRegularExpression(value)) {
        const found = `\`${shorten(value)}\``
        const expected = 'a regular expression as JavaScript has them'
        reportWrongValue(walk, table, { code: 'pattern-syntax', found, expected })
      }
      return
    default:
      return
  }
}

function reportFormat(walk: Walk, table: ObjectTable, value: string, expected: string): void {
  reportWrongValue(walk, table, { code: 'wrong-format', found: value === '' ? 'empty text' : `\`${shorten(value)}\``, expected })
}

function isRegularExpression(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}
