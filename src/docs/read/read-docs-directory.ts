import { acceptedFileName } from '../../changes/accepted-changes.ts'
import { diagnosticCodes, type Finding } from '../../diagnostics/diagnostic.ts'
import { defaultLimits, limitHint } from '../../text/plain/limits.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import { configFileNames, lockFileName, oldDocsConfigHint, oldDocsConfigName } from '../config/config-files.ts'
import { parseConfig } from '../config/parse-config.ts'
import { type Config, toDefaultConfig } from '../config/project-config.ts'
import { type LoadConfigFile, parseDocsConfig } from '../navigation/parse-docs-config.ts'
import type { DocsConfig } from '../navigation/types.ts'
import { declareDivisions } from '../pages/declare-divisions.ts'
import { type LockFile, parseLockFile } from '../pages/lock-file.ts'
import type { DeclaredDivision } from '../pages/types.ts'
import type { UpdateEnvironment, UpdateOptions } from '../types.ts'
import { isMintConfig } from './find-docs.ts'
import { type AcceptedFile, readAcceptedFile } from './read-accepted-changes.ts'
import { toFailure } from './to-load-document.ts'

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

/** Reads `docs.json`, the configuration file, the lock file and the accepted API changes of a docs directory. */
export async function readDocsDirectory(
  root: string,
  { files, limitCeilings = defaultLimits.ceilings }: Pick<UpdateEnvironment, 'files' | 'limitCeilings'>,
): Promise<DocsDirectory> {
  let { limits } = toDefaultConfig(limitCeilings)
  const readLimited = (path: string) => files.read(path, limits.values['docs-config-size'])
  const toLimitedFailure = (result: Parameters<typeof toFailure>[0]) => toFailure(result, limitHint('docs-config-size', limits))
  const findings: Finding[] = []
  const sources: SourceFile[] = []
  const read = async (name: string): Promise<SourceFile | 'missing' | 'unreadable'> => {
    const path = joinPath(root, name)
    const result = await readLimited(path)
    if (result.kind === 'missing') return 'missing'
    if (result.kind !== 'file') {
      const { code, reason, hint: defaultHint } = toLimitedFailure(result)
      // The default hint suggests another file, but this name is fixed.
      const hint = result.kind === 'folder' ? 'Rename the directory: this name is reserved for a file' : defaultHint
      const message = `Cannot read \`${path}\`: ${reason}`
      findings.push({ code, message, file: path, pointer: '', ...(hint === undefined ? {} : { hint }) })
      return 'unreadable'
    }
    const source = toSourceFile(path, result.bytes)
    sources.push(source)
    return source
  }
  const loadPart: LoadConfigFile = async (path) => {
    const result = await readLimited(path)
    if (result.kind !== 'file') return toLimitedFailure(result)
    const source = toSourceFile(path, result.bytes)
    sources.push(source)
    return source
  }
  // Read it first, because it sets the limits for the other files.
  let configSource: Awaited<ReturnType<typeof read>> = 'missing'
  let configName: string = configFileNames[0]
  for (const name of configFileNames) {
    if (configSource !== 'missing') continue
    configSource = await read(name)
    if (configSource !== 'missing') configName = name
  }
  const config = typeof configSource === 'string' ? undefined : await parseConfig(configSource, limitCeilings)
  limits = config?.config.limits ?? limits
  const docsSource = await read('docs.json')
  const isOld = docsSource === 'missing' && (await isMintConfig(joinPath(root, oldDocsConfigName), files))
  if (isOld) findings.push(oldDocsConfig(root))
  const docs = typeof docsSource === 'string' ? undefined : await parseDocsConfig(docsSource, loadPart)
  const lockSource = await read(lockFileName)
  const accepted = await readAcceptedFile(joinPath(root, acceptedFileName), files)
  const noLock = lockSource === 'missing' ? emptyLock : undefined
  const lock = typeof lockSource === 'string' ? undefined : await parseLockFile(lockSource)
  return {
    root,
    hasDocsConfig: docsSource !== 'missing' || isOld,
    docsConfig: docs?.docsConfig,
    config: config?.config ?? toDefaultConfig(limitCeilings),
    configPath: joinPath(root, configName),
    hasConfigErrors: configSource === 'unreadable' || (config?.findings ?? []).some(isError),
    lock: noLock ?? lock?.lock,
    lockFault: lockSource === 'unreadable' ? 'newer' : lock?.fault,
    lockText: typeof lockSource === 'string' ? undefined : lockSource.text,
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

function isError({ code, severity }: Finding): boolean {
  return (severity ?? diagnosticCodes[code].severity) === 'error'
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
  { directory, materialize }: Pick<UpdateOptions, 'directory' | 'materialize'>,
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
  const none = { lockedId: '', pointer: undefined, version: undefined }
  const { materialize: materialized, schemas, overviews, order } = config
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
      lockedSources: remembered,
    },
  ]
}
