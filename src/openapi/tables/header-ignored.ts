import { isObject, readOwn } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { reportField } from '../hints/report-problem.ts'
import type { ObjectRule } from '../walk.ts'

/** Hints by lower-case header name. */
const parameterPlaces: Readonly<Record<string, string>> = {
  accept: 'Remove it: `content` of the responses declares the media types',
  'content-type': 'Remove it: `content` of the request body declares the media types',
  authorization: 'Describe it as a security scheme',
}

/**
 * Reports headers that tools must ignore. Source: OpenAPI 3.1.1, "Parameter Object", `name`; "Response Object" and "Encoding Object",
 * `headers`.
 */
export const headerIgnored: ObjectRule = (value, walk, table) => {
  const { name } = value
  if (table.key === 'Parameter') {
    if (value['in'] !== 'header' || typeof name !== 'string') return
    const hint = readOwn(parameterPlaces, name.toLowerCase())
    if (hint === undefined) return
    const message = `Unexpected header parameter \`${shorten(name)}\`: OpenAPI tools ignore it`
    reportField(walk, table, { code: 'header-ignored', key: 'name', on: 'value', message, hint })
    return
  }
  const { headers } = value
  if (!isObject(headers)) return
  for (const header of Object.keys(headers)) {
    if (header.length !== 12 || header.toLowerCase() !== 'content-type') continue
    walk.path.push('headers')
    const message = `Unexpected header \`${header}\`: OpenAPI tools ignore it`
    const hint = table.key === 'Encoding' ? 'Use `contentType` instead' : 'Remove it: `content` declares the media type'
    reportField(walk, table, { code: 'header-ignored', key: header, on: 'key', message, hint })
    walk.path.pop()
  }
}
