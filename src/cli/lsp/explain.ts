import { diagnosticCodes } from '../../diagnostics/codes.ts'
import { type Diagnostic, ruleNameOf, ruleUrlOf } from '../../diagnostics/diagnostic.ts'
import { helpTexts } from '../../diagnostics/help-texts.generated.ts'
import { renderHelp } from '../../diagnostics/render-help.ts'
import { objectTable, tableAtPointer } from '../../openapi/tables/object-tables.ts'
import type { OpenApiRelease } from '../../openapi/types.ts'
import { citedEdition, type ObjectTable, type Shape } from '../../openapi/walk.ts'
import { toOneLine } from '../../source/escape-text.ts'
import type { LocatedValue, ValueTree } from './locate-value.ts'

/** Explains the code or rule of a diagnostic in Markdown: its title, why it matters, and how to fix it. */
export function explainProblem(diagnostic: Pick<Diagnostic, 'code' | 'rule'>): string {
  const { code } = diagnostic
  // Wrapped for the file, but editors show line ends.
  const lines = renderHelp(helpTexts[code])
    .split(/(```[\s\S]*?```)/)
    .map((part) => (part.startsWith('```') ? part : part.replace(/(\S)\n(?=[\w`[(*])/g, '$1 ')))
  return `**${diagnosticCodes[code].title}** · [${toInlineCode(ruleNameOf(diagnostic))}](${ruleUrlOf(diagnostic)})\n\n${lines.join('')}`
}

/** Names of rules are untrusted. */
function toInlineCode(name: string): string {
  return `\`${toOneLine(name).replaceAll('`', "'")}\``
}

/** Explains a field of an OpenAPI document in Markdown: its type, whether it is required, and its object in the specification. */
export function explainField(tree: ValueTree, { path, on }: LocatedValue): string | undefined {
  const name = path.at(-1)
  const release = readRelease(tree.value)
  if (on !== 'key' || name === undefined || release === undefined) return undefined
  const table = findTable(objectTable(release, 'OpenAPI'), tree, path.slice(0, -1))
  const field = table?.fields.get(name)
  if (!table || !field) return undefined
  const isRequired = (table.requiredMask & field.bit) !== 0 && field.bit !== 0
  const object = table.title.replace(/ of type .*$/s, '')
  const anchor = object.toLowerCase().replaceAll(' ', '-')
  const url = `https://spec.openapis.org/oas/v${citedEdition[release]}.html#${anchor}`
  return `\`${name}\`: ${nameShape(field.shape)}${isRequired ? ', required' : ''}\n\n[${object}](${url}), OpenAPI ${citedEdition[release]}`
}

/** The release of a document; `undefined` for other files. */
export function readRelease(value: unknown): OpenApiRelease | undefined {
  const version = typeof value === 'object' && value !== null && 'openapi' in value ? value.openapi : undefined
  const release = /^3\.[012](?=\.)/.exec(String(version))?.[0]
  return release === '3.0' || release === '3.1' || release === '3.2' ? release : undefined
}

/** Objects such as Security Schemes have a table for each type. */
function findTable(top: ObjectTable, tree: ValueTree, path: readonly string[]): ObjectTable | undefined {
  const table = tableAtPointer(top, path)
  if (!table?.variants) return table
  const { field, tables } = table.variants
  const value = tree.find([...path, field])
  return (value.path.length > path.length && value.text !== undefined ? tables.get(value.text) : undefined) ?? table
}

function nameShape({ kind, table, inner, choices }: Shape): string {
  switch (kind) {
    case 'object':
      return table?.title ?? 'object'
    case 'list':
      return inner ? `list of ${nameShape(inner)}` : 'list'
    case 'map':
      return inner ? `mapping of names to ${nameShape(inner)}` : 'mapping'
    case 'choice':
      return choices.map((choice) => `\`${choice}\``).join(', ')
    case 'boolean':
    case 'number':
      return kind
    case 'count':
      return 'non-negative integer'
    case 'positive':
      return 'positive number'
    case 'uri':
    case 'uri-reference':
      return 'URL'
    case 'email':
      return 'email address'
    case 'regex':
      return 'regular expression'
    case 'schema-or-boolean':
      return 'Schema Object or boolean'
    case 'schema-or-names':
      return 'Schema Object or list of names'
    case 'types':
      return 'type, or list of types'
    case 'any':
      return 'any value'
    default:
      return 'string'
  }
}
