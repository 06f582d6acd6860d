import { type Event, parseEvents } from 'js-yaml'
import { limitBounds } from './limits.ts'
import { findChild, notePlace, type PointerTree } from './pointer-tree.ts'
import { walkYamlEvents } from './walk-yaml-events.ts'

/** Notes the places of the steps of a tree in a YAML text; none where the text is not YAML. */
export function locateInYaml(text: string, tree: PointerTree): void {
  let events: Event[]
  try {
    events = parseEvents(text, { maxDepth: limitBounds.nesting.most })
  } catch {
    return
  }
  const path: (PointerTree | undefined)[] = []
  walkYamlEvents(text, events, {
    enter(key, value) {
      const around = path.at(-1)
      const node = key === undefined ? tree : around && findChild(around, String(key.name))
      path.push(node)
      if (!node) return false
      notePlace(node, key === undefined || typeof key.name === 'number' ? { value } : { key: key.offsets, value })
      return node.children !== undefined
    },
    leave() {
      path.pop()
    },
  })
}
