import { join } from 'node:path'
import { type Diagnostic, diagnosticCodes } from '../../diagnostics/diagnostic.ts'
import { runCheck } from '../../docs/check/run-check.ts'
import { configFileNames, configSchemaUrl, docsConfigNames, lockFileName } from '../../docs/config/config-files.ts'
import { editJson } from '../../docs/navigation/edit-json.ts'
import { runAdopt } from '../../docs/update/docs-status.ts'
import { runUpdate } from '../../docs/update/run-update.ts'
import { statPath } from '../../files/boundary.ts'
import { changedFiles, type Files } from '../../files/files.ts'
import { createLinkCheck } from '../../site/make/links/docs-links.ts'
import { ConfigError } from '../../text/errors.ts'
import { listOf, parseJson, readOwn, readText } from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { isUrl, joinPath, parentPath, relativePath } from '../../text/plain/paths.ts'
import { toFileChange, toSourceFile } from '../../text/plain/source-file.ts'
import { readInfo } from '../open/single-document.ts'
import type { Workspace } from '../open/workspace.ts'
import { type CiTask, type Host, renderCiFiles, type Trigger } from './ci-files.ts'
import { type JobCommand, listJobCommands } from './setup-proof.ts'
import { type RepositorySurvey, readFileText } from './setup-survey.ts'

/** The answers of the person, or the defaults. */
export interface SetupChoices {
  /** The documents for a new `docs.json`. */
  readonly documents: readonly string[]
  readonly task: CiTask
  /** The host with the CI system. */
  readonly host: Host | undefined
  /** The command that makes the documents that Git ignores. */
  readonly build?: string | undefined
}

/** The default answers. */
export function chooseDefaults(survey: RepositorySurvey): SetupChoices {
  const { host } = survey.ci
  return { documents: survey.documents, host, task: chooseTask(survey, host) }
}

/** What the CI system of a host does by default. */
export function chooseTask(survey: RepositorySurvey, host: Host | undefined): CiTask {
  const { ci, docsDirectories, isVirtual } = survey
  // A pipeline of Bitbucket is one file, which is never changed.
  const isTaken = host === 'bitbucket' && ci.pipeline !== undefined
  if (host === undefined || isTaken || ci.existing !== undefined || ci.otherCi !== undefined || !hasDocuments(survey))
    return 'none'
  if (survey.isListed) return 'check'
  if (docsDirectories.length > 0 && !isVirtual) return 'pages'
  return docsDirectories.length > 1 || host === 'bitbucket' || ci.pagesFile !== undefined ? 'check' : 'site'
}

/** Whether there is anything that a job could check or publish. */
export function hasDocuments({ documents, namesDocuments }: RepositorySurvey): boolean {
  return documents.length > 0 || namesDocuments
}

/** One file of the plan. The path is relative to the boundary. */
export interface PlannedFile {
  readonly path: string
  /** The content of an existing file; absent for a new one. */
  readonly before?: string
  readonly content: string
  /** Completes `This file …`. */
  readonly why: string
}

/** The files that a setup writes, each before those that it names, what it cannot record, and what it leaves to fix. */
interface SetupPlan {
  readonly files: readonly PlannedFile[]
  /** The docs directories with API pages that cannot be recorded, because their operation was not found. Paths as in the survey. */
  readonly skipped: readonly { readonly directory: string; readonly pageCount: number }[]
  /** The files that accept all errors, and the configuration files that name them. Empty if there are none, or they cannot be written. */
  readonly baselines: readonly PlannedFile[]
  readonly hasJobs: boolean
  readonly commands: readonly JobCommand[]
}

/** Plans a setup. Existing files stay, except that a `docs.json` without an OpenAPI document gets one. */
export async function planSetup(
  survey: RepositorySurvey,
  choices: SetupChoices,
  workspace: Workspace,
  releaseCommit: string | undefined,
): Promise<SetupPlan> {
  const { root, docsDirectories } = survey
  const planned = await Promise.all(docsDirectories.map((each) => planDocsDirectory(each, survey, workspace)))
  const isNew = docsDirectories.length === 0
  const docs = [
    ...(isNew ? [await planDocsConfig(root, choices.documents, workspace)] : []),
    ...planned.flatMap(({ file }) => file ?? []),
  ]
  const directories = isNew ? [root] : docsDirectories
  const [docsDirectory = root, ...others] = directories
  const hasWork = hasDocuments(survey)
  const config = others.length > 0 || !hasWork ? [] : await planConfig(docsDirectory, choices, survey, workspace)
  const after = withFiles(workspace, [...docs, ...config])
  const folder = others.length > 0 ? root : docsDirectory
  const ci = choices.task === 'none' ? [] : await planCi(folder, directories, choices, survey, after, releaseCommit)
  // A document that a build makes can be missing here, or old.
  const isChecked = hasWork && choices.build === undefined
  const accepting = isChecked ? directories.map((each) => planBaseline(each, choices, survey, after)) : []
  const skipped = planned.map(({ skippedCount }, index) => ({
    directory: docsDirectories[index] ?? root,
    pageCount: skippedCount,
  }))
  return {
    files: [...docs, ...ci, ...config],
    skipped: skipped.filter(({ pageCount }) => pageCount > 0),
    baselines: (await Promise.all(accepting)).flat(),
    hasJobs: ci.length > 0,
    commands: listJobCommands(ci.length > 0 ? choices.task : 'check', folder, directories),
  }
}

/** Adds the files that accept all errors to a plan. Their configuration files replace the planned ones. */
export function acceptErrors({ files, baselines }: Pick<SetupPlan, 'files' | 'baselines'>): readonly PlannedFile[] {
  const isAccepting = ({ path }: PlannedFile) => baselines.some((file) => file.path === path)
  return [...files.filter((file) => !isAccepting(file)), ...baselines]
}

function withFiles(workspace: Workspace, planned: readonly PlannedFile[]): Workspace {
  const { access } = workspace
  const changes = planned.map(({ path, before, content }) => toFileChange(path, before, content))
  return { ...workspace, access: { ...access, files: changedFiles(access.files, changes) } }
}

async function planDocsConfig(root: string, documents: readonly string[], workspace: Workspace): Promise<PlannedFile> {
  const titled = await Promise.all(documents.map((path) => readTitle(path, root, workspace)))
  const tabs = titled.length === 1 ? `a tab for ${titled[0]?.path}` : `a tab for each of ${titled.length} documents`
  return { path: joinPath(root, docsConfigNames[0]), content: renderDocsConfig(titled), why: `names the site, with ${tabs}` }
}

async function readTitle(path: string, root: string, { access }: Pick<Workspace, 'access'>): Promise<TitledDocument> {
  const result = isUrl(path) ? await access.fetchDocument(path) : await access.files.read(path)
  const { title } = await readInfo(path, 'bytes' in result ? result.bytes : undefined)
  return { path: isUrl(path) ? path : relativePath(root, path), title }
}

/** Adopts the existing API pages of a docs directory, or names a document in a `docs.json` without one. */
async function planDocsDirectory(
  root: string,
  { documents, unnamed, docsDirectories }: RepositorySurvey,
  { access, terms, reporting }: Workspace,
): Promise<{ readonly file: PlannedFile | undefined; readonly skippedCount: number }> {
  const { files } = access
  const path = joinPath(root, docsConfigNames[0])
  const before = await readFileText(path, files)
  const add = async (name: string) => {
    const titled = await readTitle(name, root, { access })
    if (before === undefined) return undefined
    const content = addDivision(before, unnamed === undefined ? { ...titled, title: undefined } : titled)
    return content === undefined ? undefined : { path, before, content, why: `gets a division with ${titled.path}` }
  }
  if (unnamed !== undefined && root === docsDirectories[0]) {
    const file = await add(unnamed)
    if (file) return { file, skippedCount: 0 }
    const hint = `Add \`"openapi": "${unnamed}"\` to a tab or group of its navigation, and run \`openapi-pages init\``
    throw new ConfigError(`cannot add ${unnamed} to ${path}: its navigation has no list of divisions`, { hint })
  }
  const lockPath = joinPath(root, lockFileName)
  if ((await readFileText(lockPath, files)) !== undefined) return { file: undefined, skippedCount: 0 }
  const report = await runAdopt({ root }, access, terms, reporting)
  const [change] = report.changes
  const pageCount = report.divisions.reduce((sum, { pages }) => sum + pages.length, 0)
  if (change?.kind === 'add' && pageCount > 0) {
    const why = `records the ${pageCount === 1 ? 'existing API page' : `${pageCount} existing API pages`}, and changes no page`
    return { file: { path: change.path, content: change.content, why }, skippedCount: report.unbound.length }
  }
  const nothing = { file: undefined, skippedCount: report.unbound.length }
  const name = documents.find((each) => root === '' || isUrl(each) || each.startsWith(`${root}/`))
  if (name === undefined || before?.includes('"openapi"') || report.unbound.length > 0) return nothing
  return { ...nothing, file: await add(name) }
}

async function planConfig(
  folder: string,
  choices: SetupChoices,
  survey: RepositorySurvey,
  workspace: Workspace,
): Promise<PlannedFile[]> {
  if (findConfig(folder, workspace.boundary) !== undefined) return []
  const materialize = isMaterialized(choices, survey)
  const why = materialize
    ? 'contains the settings: API pages are files'
    : 'contains the settings: the site generates the API pages'
  return [{ path: joinPath(folder, configFileNames[0]), content: renderConfig(materialize), why }]
}

function isMaterialized({ task }: SetupChoices, { docsDirectories }: RepositorySurvey): boolean {
  return task === 'pages' || (task === 'none' && docsDirectories.length > 0)
}

/** The name of the configuration file of a docs directory, if it has one. */
function findConfig(folder: string, boundary: string): string | undefined {
  return configFileNames.find((name) => statPath(join(boundary, folder, name)))
}

async function planCi(
  folder: string,
  directories: readonly string[],
  { task, host, build }: SetupChoices,
  { git, ci, docsDirectories, documents, remoteDocuments }: RepositorySurvey,
  workspace: Workspace,
  releaseCommit: string | undefined,
): Promise<PlannedFile[]> {
  if (host === undefined || ci.existing !== undefined) return []
  // In a repository with only docs, each change concerns them.
  const isMonorepo =
    docsDirectories.length > 0
      ? docsDirectories.every((each) => each !== '')
      : documents.length > 1 && documents.every((path) => path.includes('/'))
  const files = renderCiFiles(host, task, {
    branch: git?.defaultBranch ?? 'main',
    folder,
    triggers: isMonorepo && build === undefined ? await listTriggers(directories, workspace) : [],
    build,
    isScheduled: remoteDocuments.length > 0 && task !== 'check',
    releaseCommit,
    stages: ci.pipeline?.stages,
  })
  return files.map(({ name, why, content }) => {
    if (host !== 'github') return { path: name, content, why }
    // A workflow of another purpose keeps its name.
    const isTaken = statPath(join(workspace.boundary, '.github/workflows', name)) !== undefined
    const free = isTaken ? `openapi-pages-${name}` : name
    // A workflow with `paths` names itself.
    return {
      path: `.github/workflows/${free}`,
      content: content.replaceAll(`- .github/workflows/${name}\n`, `- .github/workflows/${free}\n`),
      why,
    }
  })
}

/** The files of docs directories: the directories, what documents elsewhere consist of, and rulesets elsewhere. */
async function listTriggers(
  directories: readonly string[],
  { boundary, access, terms, reporting }: Workspace,
): Promise<readonly Trigger[]> {
  const triggers = new Map<string, Trigger>()
  const add = (trigger: Trigger) => triggers.set(JSON.stringify(trigger), trigger)
  for (const root of directories) {
    if (root === '')
      for (const file of [docsConfigNames[0], findConfig(root, boundary) ?? configFileNames[0], lockFileName]) add({ file })
    else add({ folder: root })
    const { documentFiles } = await runUpdate({ root }, access, terms, reporting)
    const isElsewhere = (path: string) => !isUrl(path) && !directories.some((each) => each !== '' && path.startsWith(`${each}/`))
    for (const { path } of documentFiles) {
      if (!isElsewhere(path)) continue
      const extension = /\.(\w+)$/.exec(path)?.[1]
      add(extension === undefined ? { file: path } : { folder: parentPath(path), extension })
    }
    const { rulesets } = await runCheck({ entries: [root] }, access, terms, reporting)
    for (const file of rulesets.flatMap(({ files }) => files)) if (isElsewhere(file)) add({ file })
    // Pages of a docs directory in the root of a repository can be anywhere.
    if (root === '') add({ folder: '', extension: 'mdx' })
  }
  return [...triggers.values()]
}

/** The file that accepts errors. */
export const baselineName = 'openapi-baseline.json'

async function planBaseline(
  root: string,
  choices: SetupChoices,
  survey: RepositorySurvey,
  { boundary, access, terms, reporting }: Workspace,
): Promise<readonly PlannedFile[]> {
  const path = joinPath(root, baselineName)
  const checked = { entries: [root], checkLinks: createLinkCheck(), baseline: path }
  const { diagnostics, baselines } = await runCheck(checked, access, terms, reporting)
  const isAcceptable = (one: Diagnostic) => one.severity === 'error' && diagnosticCodes[one.code].about === 'content'
  const config = await planBaselineSetting(root, choices, survey, boundary, access.files)
  const [left, content = ''] = [await readFileText(path, access.files), baselines[0]?.next]
  // A killed run has written it, and not yet its name.
  if (left === content && config) return [config]
  if (left !== undefined || config === undefined || !diagnostics.some(isAcceptable)) return []
  return [config, { path, content, why: 'accepts the current problems of documents, so that only new ones are reported' }]
}

/** The configuration file with the name of the baseline. Absent if it is not YAML, or names one already. */
async function planBaselineSetting(
  root: string,
  choices: SetupChoices,
  survey: RepositorySurvey,
  boundary: string,
  files: Files,
): Promise<PlannedFile | undefined> {
  const [name] = configFileNames
  const path = joinPath(root, name)
  const existing = findConfig(root, boundary)
  if (existing === undefined) {
    const content = renderConfig(isMaterialized(choices, survey), baselineName)
    return { path, content, why: 'contains the settings, and names the baseline' }
  }
  const before = await readFileText(path, files)
  if (existing !== name || before === undefined) return undefined
  const content = `${before.trimEnd()}\n\nbaseline: ${baselineName}\n${/^update:/m.test(before) ? '' : onErrorSetting}`
  const { value, faults } = await parseSource(toSourceFile(path, new TextEncoder().encode(content)))
  const isAdded = faults.length === 0 && readText(value, 'baseline') === baselineName
  return isAdded ? { path, before, content, why: 'names the baseline' } : undefined
}

/** An OpenAPI document with its title, if it has one. */
interface TitledDocument {
  /** Relative to the docs directory. */
  readonly path: string
  readonly title: string | undefined
}

/** A `docs.json` with one tab for each document, in the form that Mintlify accepts too. */
function renderDocsConfig(documents: readonly TitledDocument[]): string {
  const [only, ...others] = documents
  const docsConfig = {
    theme: 'mint',
    name: (others.length === 0 ? only?.title : undefined) ?? 'API documentation',
    colors: { primary: '#0F766E' },
    navigation: { tabs: toTabs(documents) },
  }
  return `${JSON.stringify(docsConfig, undefined, 2)}\n`
}

function toTabs(documents: readonly TitledDocument[]): object[] {
  const [only, ...others] = documents
  if (only && others.length === 0) return [{ tab: 'API Reference', openapi: only.path }]
  const labels = new Set<string>()
  const directories = new Set<string>()
  return documents.map(({ path, title }) => {
    const name = path.replace(/\.\w+$/, '')
    const tab = takeFree(title ?? name, labels)
    const directory = takeFree(
      `api-reference/${name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '')}`,
      directories,
    )
    return { tab, openapi: { source: path, directory } }
  })
}

function takeFree(wanted: string, taken: Set<string>): string {
  let free = wanted
  for (let number = 2; taken.has(free); number++) free = `${wanted} ${number}`
  taken.add(free)
  return free
}

/** The lists of `navigation` that can get another division, with the key of its label. */
const navigationLists = { tabs: 'tab', dropdowns: 'dropdown', anchors: 'anchor', groups: 'group' } as const

/**
 * Adds a division with the document to a `docs.json`. Returns `undefined` if its navigation has no list
 * for it, or is in other files.
 */
function addDivision(text: string, { path, title = 'API Reference' }: TitledDocument): string | undefined {
  const navigation = readOwn(parseJson(text), 'navigation')
  for (const [list, label] of Object.entries(navigationLists)) {
    const divisions = listOf(readOwn(navigation, list))
    if (divisions.length === 0) continue
    const division = { [label]: title, openapi: path }
    return editJson(text, [{ kind: 'insert', array: `/navigation/${list}`, index: divisions.length, values: [division] }])
  }
  return undefined
}

/** A known error must not stop the pages of all other operations. */
const onErrorSetting = '\n# Known errors stop only the pages of the operations that they affect.\nupdate:\n  onError: operation\n'

/** A configuration file with its most important settings. @param baseline The file with known problems, relative to it. */
function renderConfig(materialize: boolean, baseline?: string): string {
  const known =
    baseline === undefined ? '' : `\n# Known problems, which are not reported again.\nbaseline: ${baseline}\n${onErrorSetting}`
  return `# yaml-language-server: $schema=${configSchemaUrl}
# All settings: https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md

# true: API pages are files in this repository. false: the site or the docs host generates them.
materialize: ${materialize}
${known}`
}
