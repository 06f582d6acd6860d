import { pointerChild } from '../../src/text/json/json-values.ts'
import { type PointerTree, toPointerTree } from '../../src/text/json/pointer-tree.ts'
import type { PointerPlace } from '../../src/text/plain/source-file.ts'
import { fc } from '../support/properties.ts'

/** A JSON value whose mappings are lists of pairs, so that keys can be equal. */
export type Tree = string | number | boolean | null | { list: Tree[] } | { pairs: [string, Tree][] }

/**
 * Only one key has a backslash, and it has two. Node 24.21 has a bug: once V8 has parsed an object with the key `\`, it misreads keys
 * such as `"\n"` in objects that begin alike. The expected result of a text must not depend on what was parsed before.
 */
const keys = fc.oneof(
  fc.constantFrom('a', 'b', 'a/b', 'm~n', '', '0', '200', '__proto__', 'é', '😀', '"', '\\\\', '{', '\n', '~1', 'null', '1.0'),
  fc.string({ maxLength: 4 }).filter((text) => !text.includes('\\')),
)

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.string({ maxLength: 6 }), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.record({ list: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc.record({ pairs: fc.array(fc.tuple(keys, tie('tree')), { maxLength: 4 }) }),
  ),
}))

export const trees: fc.Arbitrary<Tree> = tree

/** Writes a tree in flow style, the naive way, and notes where each value was put; of equal keys the last one counts. */
export function printWithPlaces(
  root: Tree,
  style: { blank: () => string; string: (text: string) => string },
): { text: string; places: Map<string, PointerPlace> } {
  let text = ''
  const places = new Map<string, PointerPlace>()
  const write = (part: string) => {
    const start = text.length
    text += part
    return { start, end: text.length }
  }
  const print = (value: Tree, pointer: string, key: PointerPlace['key']) => {
    for (const known of places.keys()) if (known === pointer || known.startsWith(`${pointer}/`)) places.delete(known)
    const note = (offsets: PointerPlace['value']) => places.set(pointer, key ? { key, value: offsets } : { value: offsets })
    if (typeof value === 'string') note(write(style.string(value)))
    else if (typeof value !== 'object' || value === null) note(write(JSON.stringify(value)))
    else if ('list' in value) {
      note(write('['))
      value.list.forEach((item, index) => {
        write((index > 0 ? ',' : '') + style.blank())
        print(item, pointerChild(pointer, index), undefined)
        write(style.blank())
      })
      write(']')
    } else {
      note(write('{'))
      value.pairs.forEach(([name, item], index) => {
        write((index > 0 ? ',' : '') + style.blank())
        const place = write(style.string(name))
        write(`${style.blank()}: ${style.blank()}`)
        print(item, pointerChild(pointer, name), place)
        write(style.blank())
      })
      write('}')
    }
  }
  write(style.blank())
  print(root, '', undefined)
  write(style.blank())
  return { text, places }
}

/** The places of those of the pointers that are in a text. */
export function findPlaces<Text>(
  locate: (text: Text, tree: PointerTree) => void,
  text: Text,
  pointers: Iterable<string>,
): Map<string, PointerPlace> {
  const { root, ends } = toPointerTree(pointers)
  locate(text, root)
  const places = new Map<string, PointerPlace>()
  for (const [pointer, { place }] of ends) if (place) places.set(pointer, place)
  return places
}
