import { isObject, type JsonObject } from '../text/is-object.ts'
import { parseYaml } from '../text/parse-yaml.ts'
import type { OffsetRange } from '../text/position.ts'

/** The YAML between the `---` lines at the top of a page. */
export interface PageFrontmatter {
  /** Empty where the YAML is no mapping. */
  readonly values: JsonObject
  /** Where the YAML stands in the text of the page. */
  readonly offsets: OffsetRange
  /** What is wrong with the YAML, in words. */
  readonly fault: { readonly message: string; readonly offsets: OffsetRange } | undefined
}

/** Reads the frontmatter of a page's text; `undefined` for a page without one. Never throws. */
export function parsePageFrontmatter(text: string): PageFrontmatter | undefined {
  const offsets = findFrontmatter(text)
  if (!offsets) return undefined
  const yaml = text.slice(offsets.start, offsets.end)
  if (yaml.trim() === '') return { values: {}, offsets, fault: undefined }
  const { value, faults } = parseYaml(yaml)
  const fault = faults.find(({ code }) => code !== 'empty-document')
  return {
    values: isObject(value) ? value : {},
    offsets,
    fault: fault && { message: fault.message, offsets: shift(fault.offsets, offsets.start) },
  }
}

/** Where the YAML between the `---` lines stands; found without parsing it. */
export function findFrontmatter(text: string): OffsetRange | undefined {
  const open = /^---[ \t]*\r?\n/.exec(text)
  if (!open) return undefined
  const start = open[0].length
  const close = /^---[ \t]*$/m.exec(text.slice(start).replaceAll('\r', ' '))
  return close ? { start, end: start + close.index } : undefined
}

function shift({ start, end }: OffsetRange, by: number): OffsetRange {
  return { start: start + by, end: end + by }
}
