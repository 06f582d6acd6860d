import { type AcceptedChange, acceptedFileName, maxAcceptedFileBytes, parseAcceptedChanges } from '../../changes/change.ts'
import { type Finding, formatCount, severityOf } from '../../diagnostics/diagnostic.ts'
import { type Files, listBelow, type ReadResult, readEach } from '../../files/files.ts'
import { defaultLimits, type Limits, limitHint } from '../../text/plain/limits.ts'
import { baseName, isDataFile, isPageFile, isUrl, joinPath, parentPath, toDiskKey } from '../../text/plain/paths.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import {
  configFileNames,
  defaultDirectory,
  docsConfigNames,
  findUnreadConfigs,
  isDocsConfigPath,
  lockFileName,
  oldDocsConfigHint,
  oldDocsConfigName,
} from '../config/config-files.ts'
import { type Config, parseConfig, toDefaultConfig, toUnreadConfig } from '../config/project-config.ts'
import { isRecordingName, type TrafficSetting, toClientsFolder } from '../config/traffic-settings.ts'
import { type DocsConfig, listEntries, toPageEntry } from '../navigation/docs-config.ts'
import { type LoadConfigFile, parseDocsConfig } from '../navigation/parse-docs-config.ts'
import { type LockFile, parseLockFile } from '../pages/lock-file.ts'
import { declareDivisions } from '../pages/navigation-entries.ts'
import type { DeclaredDivision } from '../pages/subjects.ts'
import type { DocsAccess, UpdateOptions } from '../types.ts'
import { isMintConfig, reportUnread, toFailure } from './find-docs.ts'
import { ignoreFileName, maxIgnoreFileBytes, parseIgnoreFile } from './ignore-file.ts'

/** A lock file without entries. */
export const emptyLock: LockFile = { divisions: [], pages: [], unwritten: [] }

/** The configuration files of a docs directory. */
export interface DocsDirectory {
  readonly root: string
  /** Whether a `docs.json` exists, readable or not. Also for a `mint.json`, which has to be converted first. */
  readonly hasDocsConfig: boolean
  /** Absent if there is no readable `docs.json`. */
  readonly docsConfig: DocsConfig | undefined
  readonly config: Config
  /** The path of the configuration file, or without one where to create it. Relative to the boundary. */
  readonly configPath: string
  /** Whether the configuration file has errors, so that `config` may differ from the intended settings. */
  readonly hasConfigErrors: boolean
  /** Empty if there is no lock file, absent if it is unusable. */
  readonly lock: LockFile | undefined
  /** See `LockFileReading.fault`. An unreadable lock file is treated like one of a newer release. */
  readonly lockFault: 'damaged' | 'newer' | undefined
  /** The text of the lock file, if it exists. */
  readonly lockText: string | undefined
  /** The API changes that the team accepts. */
  readonly accepted: AcceptedFile
  readonly findings: readonly Finding[]
  readonly sources: readonly SourceFile[]
}

/** A file that may be missing or unreadable. */
interface ReadFile {
  readonly kind: 'file' | 'missing' | 'unreadable'
  readonly source: SourceFile | undefined
}

/** Reads `docs.json`, the configuration file, the lock file and the accepted API changes of a docs directory. */
export async function readDocsDirectory(
  root: string,
  { files, limitCeilings = defaultLimits.ceilings }: Pick<DocsAccess, 'files' | 'limitCeilings'>,
): Promise<DocsDirectory> {
  let { limits } = toDefaultConfig(limitCeilings)
  const readLimited = (path: string) => files.read(path, limits.values['docs-config-size'])
  const toLimitedFailure = (result: Parameters<typeof toFailure>[0]) => toFailure(result, limitHint('docs-config-size', limits))
  const findings: Finding[] = []
  const sources: SourceFile[] = []
  const read = async (name: string): Promise<ReadFile> => {
    const path = joinPath(root, name)
    const result = await readLimited(path)
    if (result.kind === 'missing') return { kind: 'missing', source: undefined }
    if (result.kind !== 'file') {
      const failure = toLimitedFailure(result)
      // The default hint suggests another file, but this name is fixed.
      const hint = result.kind === 'folder' ? 'Rename the directory: this name is reserved for a file' : failure.hint
      findings.push(reportUnread(path, { ...failure, hint }))
      return { kind: 'unreadable', source: undefined }
    }
    const source = toSourceFile(path, result.bytes)
    sources.push(source)
    return { kind: 'file', source }
  }
  const loadPart: LoadConfigFile = async (path) => {
    const result = await readLimited(path)
    if (result.kind !== 'file') return toLimitedFailure(result)
    const source = toSourceFile(path, result.bytes)
    sources.push(source)
    return source
  }
  // Read it first, because it sets the limits for the other files.
  let configFile: ReadFile = { kind: 'missing', source: undefined }
  let configName: string = configFileNames[0]
  for (const name of configFileNames) {
    if (configFile.kind !== 'missing') continue
    configFile = await read(name)
    if (configFile.kind !== 'missing') configName = name
  }
  const config = configFile.source && (await parseConfig(configFile.source, limitCeilings))
  limits = config?.config.limits ?? limits
  const docsFile = await read('docs.json')
  const isOld = docsFile.kind === 'missing' && (await isMintConfig(joinPath(root, oldDocsConfigName), files))
  if (isOld) findings.push(oldDocsConfig(root))
  const docs = docsFile.source && (await parseDocsConfig(docsFile.source, loadPart))
  const lockFile = await read(lockFileName)
  const accepted = await readAcceptedFile(joinPath(root, acceptedFileName), files)
  const lock = lockFile.source && (await parseLockFile(lockFile.source))
  return {
    root,
    hasDocsConfig: docsFile.kind !== 'missing' || isOld,
    docsConfig: docs?.docsConfig && { ...docs.docsConfig, base: config?.config.site.base },
    config: config?.config ?? (configFile.kind === 'missing' ? toDefaultConfig : toUnreadConfig)(limitCeilings),
    configPath: joinPath(root, configName),
    hasConfigErrors:
      configFile.kind === 'unreadable' || (config?.findings ?? []).some((finding) => severityOf(finding) === 'error'),
    lock: lockFile.kind === 'missing' ? emptyLock : lock?.lock,
    lockFault: lockFile.kind === 'unreadable' ? 'newer' : lock?.fault,
    lockText: lockFile.source?.text,
    accepted,
    findings: [
      ...findings,
      ...(docs?.findings ?? []),
      ...(lock?.findings ?? []),
      ...(config?.findings ?? []),
      ...accepted.findings,
    ],
    sources: accepted.source ? [...sources, accepted.source] : sources,
  }
}

function oldDocsConfig(root: string): Finding {
  const folder = root === '' ? 'this directory' : `\`${root}\``
  return {
    code: 'docs-config-missing',
    message: `Cannot find \`docs.json\` in ${folder}: its \`${oldDocsConfigName}\` has the format before 2025`,
    hint: oldDocsConfigHint,
    file: joinPath(root, 'docs.json'),
    pointer: '',
  }
}

/**
 * Lists the divisions with generated or adopted pages. Returns none if the lock file or `docs.json` is unusable, so that nothing is changed.
 *
 * A docs directory without `docs.json` is a single division. Its documents are `extra` (relative to the docs directory), else the documents
 * in the lock file.
 */
export function listDeclaredDivisions(
  { docsConfig, hasDocsConfig, lock, config }: DocsDirectory,
  extra: readonly string[],
  { directory = defaultDirectory, materialize }: Pick<UpdateOptions, 'directory' | 'materialize'> = {},
): readonly DeclaredDivision[] {
  if (!lock || (hasDocsConfig && !docsConfig)) return []
  if (docsConfig) {
    const settings = materialize === undefined ? config : { ...config, materialize: { byDefault: materialize, byLabel: [] } }
    return declareDivisions(docsConfig, lock, settings)
  }
  const remembered = lock.divisions.find(({ id }) => id === '')?.sources ?? []
  const declared = extra.length > 0 ? [...new Set(extra)].map((source) => ({ source, directory })) : remembered
  if (declared.length === 0) return []
  const sources = declared.map((source) => ({ source: source.source, directory: source.directory, isInKey: false }))
  const none = { lockedId: '', branch: '', pointer: undefined, version: undefined }
  const { materialize: materialized, schemas, overviews, order, methodOrder } = config
  return [
    {
      id: '',
      label: '',
      ...none,
      mode: (materialize ?? materialized.byDefault) ? 'automatic' : 'virtual',
      keepsKey: false,
      schemas: schemas.byDefault,
      overviews: overviews.byDefault === true,
      sources,
      order: order.byDefault,
      methodOrder: methodOrder.byDefault,
      lockedSources: remembered,
    },
  ]
}

/** The files of a docs directory. */
export interface DocsFiles {
  /** Text of each page by its path relative to the docs directory, with extension. */
  readonly pages: ReadonlyMap<string, string>
  /** All files, relative to the docs directory. */
  readonly files: readonly string[]
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
  const all = await listBelow(root, files)
  const otherDocsConfigs: string[] = []
  for (const path of all.filter((name) => name.includes('/') && isDocsConfigPath(name))) {
    const result = await files.read(joinPath(root, path))
    // An OpenAPI document or a project in the Mint programming language can have this file name too.
    const isDocsConfig = result.kind === 'file' && toSourceFile(path, result.bytes).text.includes('"navigation"')
    if (isDocsConfig) otherDocsConfigs.push(path)
  }
  const otherProjects = otherDocsConfigs.map((path) => `${parentPath(path)}/`)
  const isNamed = (path: string) => isPageFile(path) && named.has(toPageEntry(path))
  const isOwn = (path: string) => !otherProjects.some((folder) => path.startsWith(folder)) || isNamed(path)
  const own = all.filter((path) => !/(^|\/)\.[^/]*\//.test(path) && isOwn(path))
  const { isIgnored, isWritten, fault: ignoreFault } = await readIgnoreFile(root, files)
  const readText = async (name: string) => {
    const result = await files.read(joinPath(root, name))
    return result.kind === 'file' ? toSourceFile('', result.bytes).text : ''
  }
  const unreadConfigs = await findUnreadConfigs(
    all.filter((path) => !path.includes('/')),
    readText,
  )
  const paths = [...new Set([...own.filter(isPageFile), ...known])]
  const faults: Finding[] = ignoreFault ? [ignoreFault] : []
  /** Whether a page is left out only because of its folder. */
  const isInLeftOut = (path: string) =>
    isIgnored(path) && !isWritten(path) && !isIgnored(baseName(path)) && !known.includes(path) && !isNamed(path)
  const pages = new Map<string, string>()
  for await (const [path, result] of readEach(paths, (path) => files.read(joinPath(root, path), limits.values['page-size']))) {
    if (result.kind === 'missing' || result.kind === 'folder') continue
    const { text, fault } = toText(result, limits)
    pages.set(path, text)
    if (fault) faults.push({ ...fault, file: joinPath(root, path), pointer: '', severity: 'warning' })
  }
  faults.push(...reportLeftOut(root, paths.filter(isInLeftOut), pages))
  return {
    pages,
    files: all,
    ignored: new Set(paths.filter(isIgnored)),
    faults,
    unreadConfigs: unreadConfigs.map((finding) => ({ ...finding, file: joinPath(root, finding.file) })),
    documents: own.filter(isDataFile),
    otherDocsConfigs,
  }
}

/** Reports the pages with a title that no one excluded: their directory is one that tools write, such as `build`. */
function reportLeftOut(root: string, paths: readonly string[], pages: ReadonlyMap<string, string>): Finding[] {
  const [first, ...others] = paths.filter((path) => /^---\r?\n(?:.+\n)*?title:/.test(pages.get(path) ?? ''))
  if (first === undefined) return []
  const are = others.length === 0 ? ' is' : ` and ${formatCount(others.length, 'other page')} are`
  const folder = baseName(parentPath(first))
  return [
    {
      code: 'page-unlisted',
      message: `\`${first}\`${are} not published: by default, sites leave out directories that tools write`,
      file: joinPath(root, first),
      pointer: '',
      hint: `Add \`!${folder}\` to \`.mintignore\`, or \`${folder}\` to leave it out`,
    },
  ]
}

/**
 * Reads the `.mintignore` of a docs directory. Returns functions that match ignored files by their path relative to it: `isWritten` without those
 * that are ignored by default.
 */
export async function readIgnoreFile(
  root: string,
  files: Files,
): Promise<{
  readonly isIgnored: (path: string) => boolean
  readonly isWritten: (path: string) => boolean
  readonly fault?: Finding
}> {
  const file = joinPath(root, ignoreFileName)
  const result = await files.read(file, maxIgnoreFileBytes)
  const text = result.kind === 'file' ? toSourceFile(file, result.bytes).text : ''
  const ignores = { isIgnored: parseIgnoreFile(text), isWritten: parseIgnoreFile(text, []) }
  if (result.kind === 'file' || result.kind === 'missing') return ignores
  const fault = reportUnread(file, { ...toFailure(result), hint: 'Shorten it, or make it a readable file' })
  return { ...ignores, fault: { ...fault, severity: 'warning' } }
}

/** With more wrong bytes, a page is not text. */
const maxWrongBytes = 100

function toText(
  result: ReadResult,
  limits: Limits,
): { text: string; fault?: Pick<Finding, 'code' | 'message' | 'hint' | 'offsets'> } {
  if (result.kind !== 'file') {
    const { code, reason, hint } = toFailure(result, limitHint('page-size', limits, 'Split the page'))
    return { text: '', fault: { code, message: `Cannot read the page: ${reason}`, hint } }
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

/** The file with accepted changes. */
export interface AcceptedFile {
  /** Relative to the boundary. The file may not exist. */
  readonly path: string
  /** Empty without the file, and if it has errors. */
  readonly entries: readonly AcceptedChange[]
  /** Errors. */
  readonly findings: readonly Finding[]
  /** Absent if the file does not exist or cannot be read. */
  readonly source: SourceFile | undefined
}

/** Reads a file with accepted changes. A missing file has no entries. */
export async function readAcceptedFile(path: string, files: Files): Promise<AcceptedFile> {
  const result = await files.read(path, maxAcceptedFileBytes)
  if (result.kind === 'missing') return { path, entries: [], findings: [], source: undefined }
  if (result.kind !== 'file') {
    return { path, entries: [], findings: [reportUnread(path, toFailure(result))], source: undefined }
  }
  const source = toSourceFile(path, result.bytes)
  return { path, ...(await parseAcceptedChanges(source)), source }
}

/**
 * Finds the path of the file with accepted changes of a document. The file may not exist.
 *
 * Searches from the folder of the document upward, within the boundary, for the file itself, a configuration file or a `docs.json`. The file
 * is beside the first of them.
 *
 * Without any of them, the file is at the top of the boundary, where a check of the repository reads it. The same applies to documents at URLs.
 */
export async function findAcceptedFile(entry: string, files: Files): Promise<string> {
  for (let current = isUrl(entry) ? '' : parentPath(entry); ; current = parentPath(current)) {
    for (const name of [acceptedFileName, ...configFileNames, ...docsConfigNames]) {
      // The content is not needed.
      const { kind } = await files.read(joinPath(current, name), 0)
      if (kind === 'file' || kind === 'too-large') return joinPath(current, acceptedFileName)
    }
    if (current === '') return acceptedFileName
  }
}

/** Creates a function that tells which files are recordings or clients files, so that they are never published. Paths are relative to the boundary. */
export function createTrafficTest(setting: TrafficSetting, root: string): (path: string) => boolean {
  const isIn = (folder: string, path: string) => folder === '' || path.startsWith(`${toDiskKey(folder)}/`)
  return (path) => {
    const key = toDiskKey(path)
    const isRecording = (named: string) => key === toDiskKey(named) || (isIn(named, key) && isRecordingName(key))
    return setting.recordings.some(isRecording) || (isIn(toClientsFolder(setting, root), key) && /\.ya?ml$/.test(key))
  }
}
