import type { Finding } from '../../diagnostics/diagnostic.ts'
import { type Files, type ReadResult, readEach } from '../../files/files.ts'
import { type Limits, limitHint } from '../../text/plain/limits.ts'
import { joinPath, parentPath } from '../../text/plain/paths.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import { findUnreadConfigs, isDocsConfigPath } from '../config/config-files.ts'
import { listEntries, toPageEntry } from '../navigation/config-entries.ts'
import type { DocsConfig } from '../navigation/types.ts'
import { ignoreFileName, maxIgnoreFileBytes, parseIgnoreFile } from './ignore-file.ts'
import { toFailure } from './to-load-document.ts'

/** The files of a docs directory. */
export interface DocsFiles {
  /** Text of each page by its path relative to the docs directory, with extension. */
  readonly pages: ReadonlyMap<string, string>
  /** Pages that match a pattern in `.mintignore`. */
  readonly ignored: ReadonlySet<string>
  /** Pages that cannot be read as text. */
  readonly faults: readonly Finding[]
  /** Reports on files with a name similar to the configuration file, which are not read. */
  readonly unreadConfigs: readonly Finding[]
  /** Files that may be OpenAPI documents according to their extension, relative to the docs directory. */
  readonly documents: readonly string[]
  /** `docs.json` and `mint.json` files of nested projects, relative to the docs directory. */
  readonly otherDocsConfigs: readonly string[]
}

/** The pages that the navigation of a docs directory names, without extension. */
export function listNamedPages(docsConfig: DocsConfig | undefined): ReadonlySet<string> {
  return new Set(docsConfig ? listEntries(docsConfig).map(({ path }) => path) : [])
}

/**
 * Reads the pages (`.mdx`, `.md`) of a docs directory. Skips hidden folders, and nested projects with their own `docs.json` except for the pages
 * that the outer navigation names (`named`, without extension). Reads `known` pages in any folder. A page that is not UTF-8 text is treated as hand-edited. Single wrong bytes are replaced.
 */
export async function readPages(
  root: string,
  { known, named }: { readonly known: readonly string[]; readonly named: ReadonlySet<string> },
  files: Files,
  limits: Limits,
): Promise<DocsFiles> {
  const prefix = root === '' ? '' : `${root}/`
  const all = (await files.list(root)).map((path) => path.slice(prefix.length))
  const otherDocsConfigs: string[] = []
  for (const path of all.filter((name) => name.includes('/') && isDocsConfigPath(name))) {
    const result = await files.read(prefix + path)
    // An OpenAPI document or a project in the Mint programming language can have this file name too.
    const isDocsConfig = result.kind === 'file' && toSourceFile(path, result.bytes).text.includes('"navigation"')
    if (isDocsConfig) otherDocsConfigs.push(path)
  }
  const otherProjects = otherDocsConfigs.map((path) => `${parentPath(path)}/`)
  const isNamed = (path: string) => /\.mdx?$/i.test(path) && named.has(toPageEntry(path))
  const isOwn = (path: string) => !otherProjects.some((folder) => path.startsWith(folder)) || isNamed(path)
  const own = all.filter((path) => !/(^|\/)\.[^/]*\//.test(path) && isOwn(path))
  const { isIgnored, fault: ignoreFault } = await readIgnoreFile(root, files)
  const readText = async (name: string) => {
    const result = await files.read(prefix + name)
    return result.kind === 'file' ? toSourceFile('', result.bytes).text : ''
  }
  const unreadConfigs = await findUnreadConfigs(
    all.filter((path) => !path.includes('/')),
    readText,
  )
  const paths = [...new Set([...own.filter((path) => /\.mdx?$/i.test(path)), ...known])]
  const faults: Finding[] = ignoreFault ? [ignoreFault] : []
  const pages = new Map<string, string>()
  for await (const [path, result] of readEach(paths, (path) => files.read(prefix + path, limits.values['page-size']))) {
    if (result.kind === 'missing' || result.kind === 'folder') continue
    const { text, fault } = toText(result, limits)
    pages.set(path, text)
    if (fault) faults.push({ ...fault, file: prefix + path, pointer: '', severity: 'warning' })
  }
  return {
    pages,
    ignored: new Set(paths.filter(isIgnored)),
    faults,
    unreadConfigs: unreadConfigs.map((finding) => ({ ...finding, file: prefix + finding.file })),
    documents: own.filter((path) => /\.(json|ya?ml)$/i.test(path)),
    otherDocsConfigs,
  }
}

/** Reads the `.mintignore` of a docs directory. Returns a function that matches ignored files by their path relative to it. */
export async function readIgnoreFile(
  root: string,
  files: Files,
): Promise<{ readonly isIgnored: (path: string) => boolean; readonly fault?: Finding }> {
  const file = joinPath(root, ignoreFileName)
  const result = await files.read(file, maxIgnoreFileBytes)
  if (result.kind === 'file') return { isIgnored: parseIgnoreFile(toSourceFile(file, result.bytes).text) }
  const isIgnored = parseIgnoreFile('')
  if (result.kind === 'missing') return { isIgnored }
  const { code, reason } = toFailure(result)
  const message = `Cannot read \`${file}\`: ${reason}`
  return {
    isIgnored,
    fault: { code, message, file, pointer: '', severity: 'warning', hint: 'Shorten it, or make it a readable file' },
  }
}

/** With more wrong bytes, a page is not text. */
const maxWrongBytes = 100

function toText(
  result: ReadResult,
  limits: Limits,
): { text: string; fault?: Pick<Finding, 'code' | 'message' | 'hint' | 'offsets'> } {
  if (result.kind !== 'file') {
    const { code, reason, hint } = toFailure(result, limitHint('page-size', limits, 'Split the page'))
    return { text: '', fault: { code, message: `Cannot read the page: ${reason}`, ...(hint === undefined ? {} : { hint }) } }
  }
  const { text, encodingFault } = toSourceFile('', result.bytes)
  if (!encodingFault) return { text }
  const { offset } = encodingFault
  const wrong = text.match(/[\0\ufffd]/g)?.length ?? 0
  if (encodingFault.kind === 'utf-16' || wrong > maxWrongBytes) {
    return {
      text: '',
      fault: { code: 'encoding', message: 'Cannot read the page: it is not UTF-8 text', hint: 'Save it as UTF-8' },
    }
  }
  const line = text.slice(0, offset).split('\n').length
  const found = text[offset] === '\0' ? 'byte 0x00' : 'byte that is not UTF-8'
  return {
    text: text.replaceAll('\0', '\ufffd'),
    fault: {
      code: 'encoding',
      message: `Unexpected ${found} in line ${line} of the page: it is shown as \ufffd`,
      offsets: { start: offset, end: offset + 1 },
      hint: 'Remove it, or save the page as UTF-8',
    },
  }
}
