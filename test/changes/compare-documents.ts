import type { ComparableDescription, CompareOptions, UnlocatedChange } from '../../src/changes/change.ts'
import { compareDescriptions, toComparable } from '../../src/changes/compare/compare.ts'
import { checkDescription } from '../../src/checks/check-description.ts'
import type { LoadDocument } from '../../src/openapi/types.ts'

/** A document as YAML or JSON text, or the files of a description with the entry document `openapi.yaml`. */
export type TestDocument = string | { readonly [path: string]: string }

/** The changes between two documents. The current date is 2026-06-15. */
export async function compareDocuments(
  base: TestDocument,
  revision: TestDocument,
  options: Partial<CompareOptions> = {},
): Promise<readonly UnlocatedChange[]> {
  const [before, after] = [await readDocument(base), await readDocument(revision)]
  return compareDescriptions(before, after, { today: '2026-06-15', ...options }).changes
}

/** Reads a document for `compare`. */
export async function readDocument(document: TestDocument): Promise<ComparableDescription> {
  const check = await checkDescription('openapi.yaml', loadFrom(document))
  const comparable = toComparable(check)
  if (!comparable) throw new Error(`Cannot read the document: ${check.findings.map(({ message }) => message).join('; ')}`)
  return comparable
}

/** Loads the files of a description. */
export function loadFrom(document: TestDocument): LoadDocument {
  const files = typeof document === 'string' ? { 'openapi.yaml': document } : document
  return async (path) => {
    const text = files[path]
    if (text === undefined) return { kind: 'failed', code: 'file-missing', reason: 'no such file' }
    return { kind: 'loaded', bytes: new TextEncoder().encode(text) }
  }
}

/** `breaking get /pets: operation-removed` for each change. Changes of components and of the document list their operations. */
export function summarize(changes: readonly UnlocatedChange[]): string[] {
  return changes.map(({ code, level, method, path, operations }) => {
    const listed = operations.map((operation) => `${operation.method} ${operation.path}`).join(', ')
    return `${level} ${method === null ? `[${listed}]` : `${method} ${path}`}: ${code}`
  })
}

/** A 3.1 document with one operation, `post /pets`, that has a schema in its request body and the same one in its response. */
export function toBodyDocument(schema: string, rest = ''): string {
  const content = `{application/json: {schema: ${schema}}}`
  return `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    post:
      requestBody: {required: true, content: ${content}}
      responses: {'200': {description: Pet, content: ${content}}}
${rest}`
}

/** The changes between two schemas as `<code> <level in the request> <level in the response>`, with `-` for none. */
export async function compareBodies(
  base: string,
  revision: string,
  rest: readonly [string, string] = ['', ''],
): Promise<string[]> {
  const changes = await compareDocuments(toBodyDocument(base, rest[0]), toBodyDocument(revision, rest[1]))
  const levels = new Map<string, { request: string; response: string }>()
  for (const { code, level, subject, base: from, revision: to } of changes) {
    const found = levels.get(code) ?? { request: '-', response: '-' }
    levels.set(code, found)
    const isShared = [from, to].some((place) => place?.pointer.startsWith('/components/'))
    if (subject === 'request' || (isShared && found.request === '-')) found.request = level
    if (subject === 'response' || (isShared && found.response === '-')) found.response = level
  }
  return [...levels].map(([code, { request, response }]) => `${code} ${request} ${response}`).sort()
}
