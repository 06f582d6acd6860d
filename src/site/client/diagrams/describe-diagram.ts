import { capitalize } from '../../../text/plain/lists.ts'
import { formatMessage } from '../../messages/format-message.ts'
import { diagrams } from '../../messages/script-messages.ts'
import type { DrawnDiagram } from './draw-diagram.ts'

/** Types that have a name. The others have a name that is made from that in Mermaid. */
const named = /^(?:c4|er|flowchart|gitGraph|mindmap|pie|quadrantChart|xychart|sequence|class|state)$/

/** The maximum length of the list of labels. */
const most = 300

/** The text alternative of a diagram: what its author wrote, otherwise its type and its labels. */
export function describeDiagram(
  { type, title, description, labels }: Pick<DrawnDiagram, 'type' | 'title' | 'description' | 'labels'>,
  texts: Readonly<Record<keyof typeof diagrams, string>> = diagrams,
): string {
  const written = [title, description].map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '')
  if (written.length > 0) return written.map((text) => text.replace(/[.!?]?$/, (end) => end || '.')).join(' ')
  const [short = ''] = type.split('-', 1)
  const key = short.replace(/Diagram$/, '')
  // A name that the pattern lists.
  const name = named.test(key) ? texts[key as keyof typeof diagrams] : toName(key, texts)
  let list = ''
  for (const label of new Set(labels)) {
    const next = list === '' ? label : `${list}, ${label}`
    if (next.length > most) return `${name}: ${list === '' ? label.slice(0, most) : list}…`
    list = next
  }
  return list === '' ? `${name}` : `${name}: ${list}`
}

/** `userJourney` → “User journey diagram”. */
function toName(type: string, texts: Readonly<Record<keyof typeof diagrams, string>>): string {
  const words = type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
  const name = capitalize(words.toLowerCase())
  return words === '' ? texts.any : formatMessage(texts.otherType, { type: name }, '')
}
