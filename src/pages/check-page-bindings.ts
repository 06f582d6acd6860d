import type { Finding, Severity } from '../diagnostic/diagnostic.ts'
import type { PageBindingReading } from '../docs/page-frontmatter.ts'
import { locateFrontmatterValue, parsePageFrontmatter } from '../docs/page-frontmatter.ts'
import { checkBinding } from './check-binding.ts'
import { type BindableDocument, resolveBinding } from './resolve-binding.ts'

/** A page whose frontmatter was read. */
export interface BoundPage {
  /** Relative to the boundary. */
  readonly file: string
  /** Relative to the docs root. */
  readonly path: string
  readonly text: string
  readonly reading: PageBindingReading
  /** Of the operation that the page was made for, where the lock file tells. */
  readonly operationId: string | undefined
}

/**
 * Reports pages bound to what does not exist, or not for sure.
 *
 * `severity` is that of a binding to a missing operation: such a page is empty, but keeps nobody from updating the others.
 */
export function checkPageBindings(
  pages: readonly BoundPage[],
  documents: readonly BindableDocument[],
  severity: Severity,
): Finding[] {
  return pages.flatMap((page) => checkPage(page, documents, severity) ?? [])
}

function checkPage(
  { file, path, text, reading, operationId }: BoundPage,
  documents: readonly BindableDocument[],
  severity: Severity,
): Finding | undefined {
  if (reading.kind === 'none') return undefined
  if (reading.kind === 'fault') {
    return { code: 'page-frontmatter', message: reading.message, file, pointer: '', offsets: reading.offsets }
  }
  const at = () => {
    const offsets = locateFrontmatterValue(text, reading.key)
    return { file, pointer: `/${reading.key}`, ...(offsets ? { offsets } : {}) }
  }
  if (reading.kind === 'unreadable') {
    const found = typeof reading.written === 'string' ? `\`${reading.written}\`` : 'value'
    const expected = reading.key === 'openapi' ? 'a method and a path' : 'the name of a schema'
    const hint =
      reading.key === 'openapi'
        ? 'write for example `openapi: openapi.yaml GET /pets`'
        : 'write for example `openapi-schema: Pet`'
    return { code: 'binding-syntax', message: `Unexpected ${found} for \`${reading.key}\`, expected ${expected}`, hint, ...at() }
  }
  const resolved = resolveBinding(reading.binding, documents)
  const title = resolved.kind === 'missing' ? parsePageFrontmatter(text)?.values['title'] : undefined
  const page = { path, operationId, title: typeof title === 'string' ? title.trim() : undefined }
  const fault = checkBinding(reading.binding, resolved, documents, page)
  if (!fault) return undefined
  return { ...fault, ...at(), ...(fault.code === 'binding-unresolved' ? { severity } : {}) }
}
