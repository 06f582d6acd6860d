import { type Event, parseEvents } from 'js-yaml'
import type { PointerPlace, PointerTree } from './locate-pointers.ts'
import { walkYamlEvents } from './walk-yaml-events.ts'

/** Finds the places of the pointers of a tree in a YAML text; none where the text is not YAML. */
export function locateInYaml(text: string, tree: PointerTree): Map<string, PointerPlace> {
  const found = new Map<string, PointerPlace>()
  let events: Event[]
  try {
    events = parseEvents(text, { maxDepth: 1_000 })
  } catch {
    return found
  }
  const path: PointerTree[] = []
  walkYamlEvents(text, events, {
    enter(key, value) {
      const node = key === undefined ? tree : path.at(-1)?.children.get(String(key.name))
      if (!node) {
        path.push(emptyTree)
        return false
      }
      path.push(node)
      if (node.pointer !== undefined) {
        found.set(node.pointer, key === undefined || typeof key.name === 'number' ? { value } : { key: key.offsets, value })
      }
      return node.children.size > 0
    },
    leave() {
      path.pop()
    },
  })
  return found
}

const emptyTree: PointerTree = { pointer: undefined, children: new Map() }
