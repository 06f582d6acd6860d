import { join } from 'node:path'
import { configFileNames, docsConfigNames } from '../../docs-config/config-files.ts'
import { lockFileName } from '../../docs-config/lock-file.ts'
import { changedFiles } from '../../files/files.ts'
import { openGit } from '../../git/git.ts'
import type { FileChange } from '../../source/file-change.ts'
import { isObject } from '../../source/is-object.ts'
import { parseSource } from '../../source/parse-source.ts'
import { joinPath, relativePath } from '../../source/relative-path.ts'
import { toSourceFile } from '../../source/source-file.ts'
import { findDocs } from '../../update/find-docs.ts'
import { runAdopt } from '../../update/run-adopt.ts'
import { statPath, type Workspace } from '../workspace.ts'
import {
  addDivision,
  renderConfig,
  renderDocsConfig,
  renderWorkflows,
  type TitledDocument,
  type WorkflowKind,
} from './setup-files.ts'

/** What `init` found. Paths are relative to the boundary. */
export interface RepositorySurvey {
  /** The folder that is set up. */
  readonly root: string
  /** Absent outside of a Git work tree. */
  readonly git: GitSurvey | undefined
  /** Folders with a `docs.json` or `mint.json`: the root, else those below it. */
  readonly docsDirectories: readonly string[]
  /** OpenAPI documents below the root. */
  readonly documents: readonly string[]
  /** The workflow that runs openapi-pages already, if there is one. */
  readonly workflow: string | undefined
  /** A workflow that deploys something else to GitHub Pages. A repository has only one site there. */
  readonly pagesWorkflow: string | undefined
  /** The configuration of another CI system, in a repository without workflows. */
  readonly otherCi: string | undefined
}

interface GitSurvey {
  /** The branch that is checked out. Absent on a detached head. */
  readonly branch: string | undefined
  readonly defaultBranch: string
  /** Number of files with changes that are not committed. */
  readonly changeCount: number
}

const otherCiFiles = ['.gitlab-ci.yml', 'azure-pipelines.yml', '.circleci/config.yml', 'Jenkinsfile', 'bitbucket-pipelines.yml']

/** Looks at a folder and its repository. Reads only names, and the start of files. */
export async function surveyRepository(root: string, { boundary, environment }: Workspace): Promise<RepositorySurvey> {
  const { docsDirectories, documents } = await findDocs(root, environment)
  const { files } = environment
  const workflows = (await files.list('.github/workflows')).filter((path) => /\.ya?ml$/.test(path))
  let [workflow, pagesWorkflow]: (string | undefined)[] = []
  for (const path of workflows) {
    const text = await readText(path, { environment })
    if (text === undefined) continue
    if (/\bopenapi-pages\b/.test(text)) workflow ??= path
    else if (/\bactions\/deploy-pages\b/.test(text)) pagesWorkflow ??= path
  }
  return {
    root,
    git: await surveyGit(boundary),
    docsDirectories,
    documents,
    workflow,
    pagesWorkflow,
    otherCi: workflows.length > 0 ? undefined : otherCiFiles.find((path) => statPath(join(boundary, path))),
  }
}

async function surveyGit(folder: string): Promise<GitSurvey | undefined> {
  const git = openGit(folder)
  const read = async (...args: readonly string[]) => {
    const { code, stdout } = await git.run(args)
    return code === 0 ? stdout.trim() : undefined
  }
  try {
    if ((await read('rev-parse', '--is-inside-work-tree')) !== 'true') return undefined
    const branch = await read('symbolic-ref', '--quiet', '--short', 'HEAD')
    const remoteHead = await read('symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD')
    const changes = await read('status', '--porcelain')
    return {
      branch,
      defaultBranch: remoteHead?.replace(/^origin\//, '') ?? branch ?? 'main',
      changeCount: changes ? changes.split('\n').length : 0,
    }
  } catch {
    // Git is not installed.
    return undefined
  }
}

/** The answers of the person, or the defaults. */
export interface SetupChoices {
  /** The documents for a new `docs.json`. */
  readonly documents: readonly string[]
  readonly workflow: WorkflowKind
}

/** The default answers. */
export function chooseDefaults(survey: RepositorySurvey): SetupChoices {
  const { documents, docsDirectories, workflow, pagesWorkflow, otherCi } = survey
  const kind = docsDirectories.length > 0 ? 'pages' : pagesWorkflow === undefined ? 'site' : 'check'
  return { documents, workflow: workflow === undefined && otherCi === undefined ? kind : 'none' }
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

/** The files that a setup writes, and what it cannot record. */
interface SetupPlan {
  readonly files: readonly PlannedFile[]
  /** The docs directories with API pages that cannot be recorded, because their operation was not found. Paths as in the survey. */
  readonly skipped: readonly { readonly directory: string; readonly pageCount: number }[]
}

/**
 * Plans a setup. Existing files stay, except that a `docs.json` without an OpenAPI document gets one.
 *
 * @param upgrades Each `docs.json` that replaces a `mint.json`. The rest of the plan is based on them.
 */
export async function planSetup(
  survey: RepositorySurvey,
  choices: SetupChoices,
  onDisk: Workspace,
  upgrades: readonly PlannedFile[] = [],
): Promise<SetupPlan> {
  const { root, docsDirectories } = survey
  const changes = upgrades.map(({ path, content }): FileChange => ({ kind: 'add', path, content }))
  const { environment } = onDisk
  const workspace = { ...onDisk, environment: { ...environment, files: changedFiles(environment.files, changes) } }
  const [docsDirectory = root, ...others] = docsDirectories
  const folder = others.length > 0 ? root : docsDirectory
  const planned = await Promise.all(docsDirectories.map((each) => planDocsDirectory(each, survey, workspace)))
  const found: (PlannedFile | undefined)[] = [
    docsDirectories.length === 0 ? await planDocsConfig(root, choices.documents, workspace) : undefined,
    ...upgrades.filter(({ path }) => !planned.some(({ file }) => file?.path === path)),
    // A division is added to the new file.
    ...planned.map(({ file }) => {
      const upgrade = upgrades.find(({ path }) => path === file?.path)
      return file && upgrade ? { ...upgrade, content: file.content } : file
    }),
    others.length > 0 ? undefined : await planConfig(folder, choices, survey, workspace),
    ...(await planWorkflows(folder, choices, survey, workspace)),
  ]
  const skipped = planned.map(({ skippedCount }, index) => ({
    directory: docsDirectories[index] ?? root,
    pageCount: skippedCount,
  }))
  return { files: found.flatMap((file) => file ?? []), skipped: skipped.filter(({ pageCount }) => pageCount > 0) }
}

async function planDocsConfig(root: string, documents: readonly string[], workspace: Workspace): Promise<PlannedFile> {
  const titled = await Promise.all(documents.map((path) => readTitle(path, root, workspace)))
  const tabs = titled.length === 1 ? `a tab for ${titled[0]?.path}` : `a tab for each of ${titled.length} documents`
  return { path: joinPath(root, docsConfigNames[0]), content: renderDocsConfig(titled), why: `names the site, with ${tabs}` }
}

async function readTitle(path: string, root: string, { environment }: Workspace): Promise<TitledDocument> {
  const result = await environment.files.read(path)
  const { value } = result.kind === 'file' ? await parseSource(toSourceFile(path, result.bytes)) : { value: undefined }
  const info = isObject(value) && isObject(value['info']) ? value['info'] : {}
  const { title } = info
  return { path: relativePath(root, path), title: typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined }
}

/** Adopts the existing API pages of a docs directory, or names a document in a `docs.json` without one. */
async function planDocsDirectory(
  root: string,
  { documents }: RepositorySurvey,
  workspace: Workspace,
): Promise<{ readonly file: PlannedFile | undefined; readonly skippedCount: number }> {
  const { environment } = workspace
  const lockPath = joinPath(root, lockFileName)
  if ((await readText(lockPath, workspace)) !== undefined) return { file: undefined, skippedCount: 0 }
  const report = await runAdopt({ root, documents: [], directory: 'api-reference' }, environment)
  const [change] = report.changes
  const pageCount = report.divisions.reduce((sum, { pages }) => sum + pages.length, 0)
  if (change?.kind === 'add' && pageCount > 0) {
    const why = `records the ${pageCount === 1 ? 'existing API page' : `${pageCount} existing API pages`}, and changes no page`
    return { file: { path: change.path, content: change.content, why }, skippedCount: report.unbound.length }
  }
  const nothing = { file: undefined, skippedCount: report.unbound.length }
  const [path, name] = [joinPath(root, docsConfigNames[0]), documents.find((each) => root === '' || each.startsWith(`${root}/`))]
  const before = await readText(path, workspace)
  if (before === undefined || name === undefined || before.includes('"openapi"') || report.unbound.length > 0) return nothing
  const content = addDivision(before, { path: relativePath(root, name), title: undefined })
  if (content === undefined) return nothing
  return { file: { path, before, content, why: `gets a division with ${relativePath(root, name)}` }, skippedCount: 0 }
}

async function planConfig(
  folder: string,
  { workflow }: SetupChoices,
  { docsDirectories }: RepositorySurvey,
  workspace: Workspace,
): Promise<PlannedFile | undefined> {
  for (const name of configFileNames) if (statPath(join(workspace.boundary, folder, name))) return undefined
  const materialize = workflow === 'pages' || (workflow === 'none' && docsDirectories.length > 0)
  const why = materialize
    ? 'contains the settings: API pages are files'
    : 'contains the settings: the site generates the API pages'
  return { path: joinPath(folder, configFileNames[0]), content: renderConfig({ materialize }), why }
}

async function planWorkflows(
  folder: string,
  { workflow }: SetupChoices,
  { git, workflow: existing }: RepositorySurvey,
  workspace: Workspace,
): Promise<PlannedFile[]> {
  if (existing !== undefined) return []
  const files = renderWorkflows(workflow, { branch: git?.defaultBranch ?? 'main', folder })
  return files.map(({ name, why, content }) => {
    // A workflow of another purpose keeps its name.
    const isTaken = statPath(join(workspace.boundary, '.github/workflows', name)) !== undefined
    return { path: `.github/workflows/${isTaken ? `openapi-pages-${name}` : name}`, content, why }
  })
}

/** Returns `undefined` if the file does not exist or cannot be read. */
async function readText(path: string, { environment }: Pick<Workspace, 'environment'>): Promise<string | undefined> {
  const result = await environment.files.read(path)
  return result.kind === 'file' ? new TextDecoder().decode(result.bytes) : undefined
}
