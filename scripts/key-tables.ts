import { divisionSupport, frontmatterSupport, type KeySupport, settingSupport } from '../src/docs-config/key-support.ts'

/** Renders the tables of `docs/migrating.md` with all keys of `docs.json` and frontmatter. */
export function renderKeyTables(): string[] {
  return [
    ...renderTable('In `docs.json`', settingSupport),
    ...renderTable('In `navigation`', divisionSupport),
    ...renderTable('In the frontmatter of a page', frontmatterSupport),
    '',
  ]
}

function renderTable(title: string, rows: readonly KeySupport[]): string[] {
  return ['', `### ${title}`, '', '| Key | Support | Note |', '| --- | --- | --- |', ...joinPlain(rows).map(toLine)]
}

/** The most keys in one line. */
const maxKeys = 12

/** Puts keys that follow each other in one line if they are used and need no note. */
function joinPlain(rows: readonly KeySupport[]): KeySupport[][] {
  const lines: KeySupport[][] = []
  for (const row of rows) {
    const last = lines.at(-1)
    if (last && last.length < maxKeys && last.every(isPlain) && isPlain(row)) last.push(row)
    else lines.push([row])
  }
  return lines
}

function isPlain({ state, note, only, except }: KeySupport): boolean {
  return state === 'used' && note === undefined && !only && !except
}

function toLine(rows: readonly KeySupport[]): string {
  const [first] = rows
  const note = first?.state === 'reported' ? `${toSentence(first.note)}. ${first.hint}` : (first?.note ?? '')
  return `| ${rows.map(toName).join(' ')} | ${first?.state} | ${note} |`
}

function toName({ key, only, except }: KeySupport): string {
  // In the navigation, a key can be in any division.
  const name = `\`${key.replace('navigation.*[].', '')}\``
  if (only) return `${name}: ${only.map((value) => `\`${value}\``).join(', ')}`
  return except ? `${name}: other values` : name
}

function toSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
