import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject } from '../../source/is-object.ts'
import { pointerChild } from '../../source/json-pointer.ts'
import { mentionsImages } from '../../source/source-file.ts'
import { describeUnnamedImages } from '../../source/unnamed-images.ts'
import type { Check } from './check-context.ts'

/** Fields with values of the API, in which a `description` is no text for readers. */
const values = new Set(['example', 'examples', 'default', 'enum', 'const', 'value'])
/** Fields whose keys are names. */
const maps = new Set(['properties', 'patternProperties', 'schemas', 'parameters', 'headers', 'responses', 'callbacks', '$defs'])

/** Reports images without alternative text in descriptions, once for each description. Most documents have no image. */
export const imageAlt: Check = ({ documents }, report) => {
  for (const [file, { parsed }] of documents) {
    if (mentionsImages(parsed.source)) visit(parsed.value, '', false, (finding) => report({ ...finding, file }))
  }
}

function visit(value: unknown, pointer: string, isMap: boolean, report: (finding: Omit<Finding, 'file'>) => void): void {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, pointerChild(pointer, index), false, report)
  if (!isObject(value)) return
  for (const [key, inside] of Object.entries(value)) {
    const at = pointerChild(pointer, key)
    if (isMap) visit(inside, at, false, report)
    else if (key === 'description' && typeof inside === 'string') {
      const found = describeUnnamedImages(inside)
      if (found) report({ code: 'image-alt', message: found.message, hint: found.hint, pointer: at })
    } else if (!values.has(key) && !key.startsWith('x-')) visit(inside, at, maps.has(key), report)
  }
}
