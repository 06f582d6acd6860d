/** Texts of a drawn diagram. */
interface DiagramTexts {
  /** Mermaid's name of the diagram type, such as `flowchart-v2`. */
  readonly type: string
  /** `accTitle`, or an empty string. */
  readonly title: string
  /** `accDescr`, or an empty string. */
  readonly description: string
  /** The texts in the diagram. */
  readonly labels: readonly string[]
}

/** Names of types whose name in Mermaid is not a word. */
const names: Readonly<Record<string, string>> = {
  c4: 'C4 diagram',
  er: 'Entity relationship diagram',
  flowchart: 'Flowchart',
  gitGraph: 'Git graph',
  mindmap: 'Mind map',
  pie: 'Pie chart',
  quadrantChart: 'Quadrant chart',
  xychart: 'Chart',
}

/** The maximum length of the list of labels. */
const most = 300

/** The text alternative of a diagram: what its author wrote, otherwise its type and its labels. */
export function describeDiagram({ type, title, description, labels }: DiagramTexts): string {
  const written = [title, description].map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '')
  if (written.length > 0) return written.map((text) => text.replace(/[.!?]?$/, (end) => end || '.')).join(' ')
  const [short = ''] = type.split('-', 1)
  const name = Object.hasOwn(names, short) ? names[short] : toName(short)
  let list = ''
  for (const label of new Set(labels)) {
    const next = list === '' ? label : `${list}, ${label}`
    if (next.length > most) return `${name}: ${list === '' ? label.slice(0, most) : list}…`
    list = next
  }
  return list === '' ? `${name}` : `${name}: ${list}`
}

/** `sequence`, `classDiagram` → “Sequence diagram”, “Class diagram”. */
function toName(type: string): string {
  const words = type.replace(/Diagram$/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return words === '' ? 'Diagram' : `${words.charAt(0).toUpperCase()}${words.slice(1).toLowerCase()} diagram`
}
