import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { describeValue } from '../../../docs/navigation/docs-config.ts'
import { visitFields } from '../../../openapi/public/restriction-marks.ts'
import { nameType } from '../../../openapi/schema/json-schema.ts'
import { isObject, pointerChild, toPointer } from '../../../text/json/json-values.ts'
import { listChoices } from '../../../text/plain/lists.ts'
import { didYouMean, suggest } from '../../../text/plain/suggest.ts'
import { listRefusedParts } from '../../content/mdx-reader.ts'
import { reportOnceInFile } from './report-once.ts'

/** The keys of `x-mint` with the type of their value. The check of access reads any value of `groups`. */
const mintKeys: ReadonlyMap<string, string> = new Map([
  ['metadata', 'mapping'],
  ['content', 'string'],
  ['href', 'string'],
  ['groups', 'any'],
  ['pre', 'list'],
  ['post', 'list'],
])

type ReadDocuments = ReadonlyMap<string, { readonly parsed: { readonly value: unknown } }>

/**
 * Reports what documents contain that pages do not show: extensions of Mintlify without effect, and parts of descriptions. Each is reported once in a
 * file, with the number of the others.
 */
export function checkShownParts(documents: ReadDocuments): Finding[] {
  return [...documents].flatMap(([file, { parsed }]) =>
    reportOnceInFile(file, (add) => {
      const report: Report = (finding) => add({ ...finding, code: 'setting-not-used' })
      visitFields(parsed.value, (name, value, path) => {
        if (name === 'description' && typeof value === 'string') {
          for (const { offsets: _, ...finding } of listRefusedParts(value))
            add({ ...finding, pointer: toPointer(path), on: 'value' })
        }
        if (name === 'x-mcp') report({ ...withoutTools(name), pointer: toPointer(path), on: 'key' })
        if (name === 'x-mint') checkMint(value, toPointer(path), report)
      })
    }),
  )
}

function checkMint(value: unknown, pointer: string, report: Report): void {
  if (isObject(value))
    for (const [key, inside] of Object.entries(value)) checkMintKey(key, inside, pointerChild(pointer, key), report)
  else report({ severity: 'warning', message: `Unexpected ${describeValue(value)} for \`x-mint\`, expected a mapping`, pointer })
}

type Report = (finding: Pick<Finding, 'message' | 'pointer' | 'on' | 'severity' | 'hint'>) => void

function checkMintKey(key: string, value: unknown, pointer: string, report: Report): void {
  const known = mintKeys.get(key)
  if (known === 'any' || known === nameType(value)) return
  if (known) {
    const message = `Unexpected ${describeValue(value)} for \`x-mint.${key}\`, expected a ${known}`
    report({ severity: 'warning', message, pointer })
  } else if (key === 'mcp') report({ ...withoutTools('x-mint.mcp'), pointer, on: 'key' })
  else {
    const near = didYouMean(suggest(key, mintKeys.keys()))
    const hint = near ?? `Use ${listChoices([...mintKeys.keys()])}`
    report({ message: `Unexpected key \`${key.slice(0, 100)}\` in \`x-mint\`: it has no effect`, pointer, on: 'key', hint })
  }
}

function withoutTools(name: string): { readonly message: string; readonly hint: string } {
  return {
    message: `Cannot use \`${name}\`: agents find every operation of a site with the same tools`,
    hint: 'Remove it. To leave out operations, use `x-excluded`',
  }
}
