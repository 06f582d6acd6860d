import { divisionSupport, frontmatterSupport, type KeySupport, settingSupport } from '../src/docs/navigation/key-support.ts'
import { groupBy } from '../src/text/plain/lists.ts'

/** Renders the tables of `docs/migrating.md` with all keys of `docs.json` and frontmatter. */
export function renderKeyTables(): string[] {
  return [
    ...renderTable('In `docs.json`', settingSupport),
    ...renderTable('In `navigation`', divisionSupport),
    ...renderTable('In the frontmatter of a page', frontmatterSupport),
    '',
  ]
}

/** The keys that need no note in one line, then a table of the others. Keys with the same note share a line. */
function renderTable(title: string, rows: readonly KeySupport[]): string[] {
  const plain = [...new Set(rows.filter(isPlain).map(toName))].join(', ')
  const lines = groupBy(
    rows.filter((row) => !isPlain(row)),
    (row) => `${row.state} | ${toNote(row)} |`,
  )
  const table = Array.from(lines, ([cells, same]) => `| ${[...new Set(same.map(toName))].join(' ')} | ${cells}`)
  return ['', `### ${title}`, '', `Used: ${plain}`, '', '| Key | Support | Note |', '| --- | --- | --- |', ...table]
}

function isPlain({ state, note, only, except }: KeySupport): boolean {
  return state === 'used' && note === undefined && !only && !except
}

function toNote(row: KeySupport): string {
  return row.state === 'reported' ? `${toSentence(row.note)}. ${row.hint}` : (row.note ?? '')
}

function toName({ key, only, except }: KeySupport): string {
  // In the navigation, a key can be at the top and in any division.
  const name = `\`${key.replace(/^navigation\.(?:\*\[\]\.)?/, '')}\``
  if (only) return `${name}: ${only.map((value) => `\`${value}\``).join(', ')}`
  return except ? `${name}: other values` : name
}

function toSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
