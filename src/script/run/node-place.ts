import type { MdxPlace } from '../values/values.ts'

/** Returns the location of a node. The offsets of `acorn` refer to the text of the file. */
export function placeOf(node: object, file: string): MdxPlace {
  const start = 'start' in node && typeof node.start === 'number' ? node.start : 0
  const end = 'end' in node && typeof node.end === 'number' ? node.end : start
  return { file, start, end }
}
