import { visitFields } from '../openapi/public/restriction-marks.ts'
import { toPointer } from '../text/json/json-values.ts'
import { describeUnnamedImages } from '../text/plain/scan-markdown.ts'
import { mentions, type SourceFile } from '../text/plain/source-file.ts'
import type { Check } from './check-context.ts'

/** Reports images without alternative text in descriptions, once for each description. Most documents have no image. */
export const imageAlt: Check = ({ documents }, report) => {
  for (const [file, { parsed }] of documents) {
    if (!mentionsImages(parsed.source)) continue
    visitFields(parsed.value, (name, value, path) => {
      const found = name === 'description' && typeof value === 'string' ? describeUnnamedImages(value) : undefined
      if (found) report({ at: { file, pointer: toPointer(path) }, message: found.message, hint: found.hint })
    })
  }
}

/** Whether a document may have an image in Markdown or HTML. Some programs escape `<` in JSON. Cheap, because most have none. */
function mentionsImages(source: SourceFile): boolean {
  return ['![', '<img', '\\u003cimg', '\\u003Cimg'].some((text) => mentions(source, text))
}
