import type { Finding } from '../diagnostic/diagnostic.ts'
import { isObject } from '../text/is-object.ts'
import { valueAtPointer } from '../text/json-pointer.ts'
import { parseSource } from '../text/parse-source.ts'
import { type SourceFile, toSourceFile } from '../text/source-file.ts'
import { collectOperations, collectTags, collectWebhooks, toOperation, toWebhook } from './collect-operations.ts'
import { detectVersion } from './detect-version.ts'
import { toFollowReference } from './follow-reference.ts'
import type { LoadDocument } from './load-document.ts'
import type { Description } from './types.ts'

/** What is known of a description after its check. */
export interface DescriptionCheck {
  /** Of an invalid description what could be told; absent when that is nothing. */
  readonly description: Description | undefined
  readonly findings: readonly Finding[]
  /** Every file that was read, by its path. */
  readonly sources: ReadonlyMap<string, SourceFile>
}

/**
 * Reads an entry document with all that it references and checks it against OpenAPI 3.0, 3.1 or 3.2.
 *
 * Never rejects: whatever is wrong, also a file that cannot be loaded, is a finding.
 */
export async function checkDescription(entryPath: string, load: LoadDocument): Promise<DescriptionCheck> {
  const sources = new Map<string, SourceFile>()
  const loaded = await load(entryPath)
  if (loaded.kind === 'failed') {
    const { code, reason, hint } = loaded
    const message = `Cannot read \`${entryPath}\`: ${reason}`
    return {
      description: undefined,
      findings: [{ code, message, file: entryPath, pointer: '', ...(hint === undefined ? {} : { hint }) }],
      sources,
    }
  }
  const source = toSourceFile(entryPath, loaded.bytes)
  sources.set(entryPath, source)
  const parsed = await parseSource(source)
  const findings: Finding[] = parsed.faults.map(({ related, ...fault }) => ({
    ...fault,
    file: entryPath,
    pointer: '',
    ...(related ? { related: [{ ...related, pointer: '' }] } : {}),
  }))
  if (parsed.value === undefined) return { description: undefined, findings, sources }
  const detected = detectVersion(entryPath, parsed.value)
  findings.push(...detected.findings)
  if (detected.release === undefined) return { description: undefined, findings, sources }
  const root = { file: entryPath, pointer: '', value: parsed.value }
  const follow = toFollowReference((file, reference) => {
    if (!reference.startsWith('#')) return undefined
    const pointer = decodeURIComponent(reference.slice(1))
    return { file, pointer, value: valueAtPointer(parsed.value, pointer) }
  })
  const info = isObject(parsed.value) ? parsed.value['info'] : undefined
  const title = isObject(info) && typeof info['title'] === 'string' ? info['title'] : ''
  const components = isObject(parsed.value) ? parsed.value['components'] : undefined
  const schemas = isObject(components) ? components['schemas'] : undefined
  const description: Description = {
    entryPath,
    release: detected.release,
    version: detected.version,
    title,
    operations: collectOperations(root, follow).map(toOperation),
    webhooks: detected.release === '3.0' ? [] : collectWebhooks(root, follow).map(toWebhook),
    tags: collectTags(root),
    schemaNames: isObject(schemas) ? Object.keys(schemas) : [],
  }
  return { description, findings, sources }
}
