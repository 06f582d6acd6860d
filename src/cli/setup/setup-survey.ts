import { join } from 'node:path'
import { checkEntryDocument } from '../../docs/check/run-check.ts'
import { listSources } from '../../docs/navigation/docs-config.ts'
import { type FoundDocs, filterDocuments, findDocs } from '../../docs/read/find-docs.ts'
import { listDeclaredDivisions, readDocsDirectory } from '../../docs/read/read-docs-directory.ts'
import { statPath } from '../../files/boundary.ts'
import type { Files } from '../../files/files.ts'
import { findGit, isInWorkTree, openGit, readGit, toPaths } from '../../git/git.ts'
import { listTexts, readOwn } from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { addTo } from '../../text/plain/lists.ts'
import { isUrl, joinPath, relativePath } from '../../text/plain/paths.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import type { Workspace } from '../open/workspace.ts'
import { type Host, hosts } from './ci-files.ts'

/** What `init` found. Paths are relative to the boundary. */
export interface RepositorySurvey extends Pick<FoundDocs, 'docsDirectories' | 'swaggerDocuments'> {
  /** The folder that is set up. */
  readonly root: string
  /** Absent outside of a Git work tree. */
  readonly git: GitSurvey | undefined
  /** OpenAPI documents below the root. */
  readonly documents: readonly string[]
  /** Documents that are bundles or copies of other documents, with these. They are not in `documents`. */
  readonly derived: ReadonlyMap<string, string>
  /** Documents in folders of tests and of clients. They are not in `documents`, unless there are no others. */
  readonly leftOut: readonly string[]
  /** Documents, named or found, that Git ignores: a build makes them, and a clone does not have them. */
  readonly madeDocuments: readonly string[]
  /** Documents at URLs: that of the argument, and those that a `docs.json` names. */
  readonly remoteDocuments: readonly string[]
  /** Whether a `docs.json` names a document. */
  readonly namesDocuments: boolean
  /** The document that the person named, if no `docs.json` does. */
  readonly unnamed: string | undefined
  /** Whether the configuration leaves the pages to a site or a docs host. */
  readonly isVirtual: boolean
  /** Whether the navigation lists all operations by hand, so that no page is generated. */
  readonly isListed: boolean
  readonly ci: CiSurvey
}

interface GitSurvey {
  /** The branch that is checked out. Absent on a detached head. */
  readonly branch: string | undefined
  readonly defaultBranch: string
  /** Files that differ from the newest commit, except those that Git ignores. */
  readonly uncommitted: ReadonlySet<string>
  readonly hasRemote: boolean
  /** The hostname of the remote. Absent without a remote, and for one on this machine. */
  readonly remoteHost: string | undefined
}

interface CiSurvey {
  /** The host whose CI system can be set up: by the remote, else by the CI files. */
  readonly host: Host | undefined
  /** The CI file that runs openapi-pages already, if there is one. */
  readonly existing: string | undefined
  /** The CI file that publishes something else on GitHub Pages or GitLab Pages. A repository has only one site there. */
  readonly pagesFile: string | undefined
  /** The file of a pipeline to which a job or step has to be added. Absent for GitHub, where each workflow is a file. */
  readonly pipeline: { readonly path: string; readonly stages: readonly string[] } | undefined
  /** The configuration of another CI system than that of the host. */
  readonly otherCi: string | undefined
}

const pipelineFiles = { gitlab: '.gitlab-ci.yml', bitbucket: 'bitbucket-pipelines.yml' } as const
const otherCiFiles = ['azure-pipelines.yml', '.circleci/config.yml', 'Jenkinsfile', ...Object.values(pipelineFiles)]

/**
 * Looks at a folder and its repository. Reads the documents only so far as to tell what they are.
 *
 * @param given The only document to set up: a path relative to the boundary, or a URL. Default: all below the folder.
 */
export async function surveyRepository(
  root: string,
  given: string | undefined,
  { boundary, access }: Workspace,
  givenHost: Host | 'none' | undefined,
): Promise<RepositorySurvey> {
  // First, because it stops if git refuses, and the others only say it.
  const git = await surveyGit(boundary)
  const { docsDirectories, documents: inFolder, swaggerDocuments } = await findDocs(root, access)
  const own = inFolder.filter((path) => !privateFolders.test(relativePath(root, path)))
  const all = own.length > 0 ? own : inFolder
  const derived = given === undefined ? await findDerived(all, access) : new Map<string, string>()
  const found = given === undefined ? all.filter((path) => !derived.has(path)) : [given]
  const documents = given === undefined || isUrl(given) ? found : await filterDocuments('', found, access.files)
  const read = await Promise.all(docsDirectories.map((each) => readDocsDirectory(each, access)))
  const sources = read.flatMap(({ root: folder, docsConfig }) =>
    listSources(docsConfig).map(({ source }) => (isUrl(source) ? source : joinPath(folder, source))),
  )
  const divisions = read.flatMap((each) => listDeclaredDivisions(each, []))
  const [remote, local] = [isUrl, (path: string) => !isUrl(path)].map((isKept) =>
    [...new Set([...documents, ...sources])].filter(isKept),
  )
  const ignored = await access.git?.findIgnored?.(local ?? [])
  return {
    root,
    git,
    docsDirectories,
    documents,
    derived,
    leftOut: given === undefined ? inFolder.filter((path) => !all.includes(path)) : [],
    madeDocuments: ignored?.kind === 'known' ? ignored.value : [],
    remoteDocuments: remote ?? [],
    namesDocuments: sources.length > 0,
    unnamed: docsDirectories.length > 0 ? documents.find((path) => path === given && !sources.includes(path)) : undefined,
    isVirtual: read.length > 0 && read.every(({ config }) => !config.materialize.byDefault),
    isListed: divisions.length > 0 && divisions.every(({ mode }) => mode === 'listed'),
    swaggerDocuments,
    ci: await surveyCi(git, givenHost, boundary, access.files),
  }
}

/** With more documents, only their bytes are compared with each other. */
const maxCompared = 50

/** Folders of tests and of generated clients. Their documents are not published, if there are others, and copies, if another document is the same. */
const privateFolders = /(?:^|\/)(?:tests?|__tests__|fixtures|testdata|generated|gen|clients?|sdks?)\//i

/**
 * Finds the documents that are the same API as another one: those with its title and operations, or its bytes. The first is one that consists of
 * several files, of which others are bundles, else one outside of folders for tests and generated code, else the one that is least deep.
 */
async function findDerived(paths: readonly string[], access: Workspace['access']): Promise<Map<string, string>> {
  const same = new Map<string, { readonly path: string; readonly rank: number }[]>()
  for (const path of paths.length > 1 ? paths : []) {
    const check = paths.length <= maxCompared ? await checkEntryDocument(path, access, { errorsOnly: true }) : undefined
    const { title, operations = [] } = check?.description ?? {}
    const targets = operations.map(({ method, pathTemplate }) => `${method} ${pathTemplate}`).sort()
    const key = targets.length > 0 ? JSON.stringify([title, targets]) : await readFileText(path, access.files)
    const isWhole = (check?.documents.size ?? 1) === 1
    const rank = (isWhole ? 1_000 : 0) + (privateFolders.test(path) ? 100 : 0) + path.split('/').length
    if (key !== undefined) addTo(same, key, { path, rank })
  }
  const groups = [...same.values()].map((group) => group.toSorted((a, b) => a.rank - b.rank))
  return new Map(groups.flatMap(([first, ...others]) => (first ? others.map(({ path }) => [path, first.path] as const) : [])))
}

async function surveyGit(folder: string): Promise<GitSurvey | undefined> {
  const git = openGit(folder)
  const read = async (...args: readonly string[]) => (await findGit(git, 'read the repository', args))?.trim()
  if (!(await isInWorkTree(git))) return undefined
  const branch = await read('symbolic-ref', '--quiet', '--short', 'HEAD')
  const remoteHead = await read('symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD')
  const changed = ['status', '--porcelain', '--no-renames', '--untracked-files=all', '-z']
  const remotes = (await read('remote'))?.split('\n').filter(Boolean) ?? []
  const remote = remotes.includes('origin') ? 'origin' : remotes[0]
  // Settings can replace a part of the URL, which can name the host or an alias for it.
  const urls = remote === undefined ? [] : [await read('config', `remote.${remote}.url`), await read('remote', 'get-url', remote)]
  const remoteHosts = urls.flatMap((url) => toHostname(url) ?? [])
  return {
    branch,
    defaultBranch: remoteHead?.replace(/^origin\//, '') ?? branch ?? 'main',
    // Two letters and a space are before each path.
    uncommitted: new Set(toPaths(await readGit(git, 'read the changes', changed)).map((line) => line.slice(3))),
    hasRemote: remote !== undefined,
    remoteHost: remoteHosts.find((host) => findHost(host)) ?? remoteHosts[0],
  }
}

/** The hostname in a URL of Git, such as `https://host/path` or `user@host:path`. */
export function toHostname(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  if (URL.canParse(url) && /^[a-z+]+:\/\//i.test(url)) return new URL(url).hostname || undefined
  return /^(?:[^/@]+@)?([^/:]{2,}):/.exec(url)?.[1]
}

/** The host of repositories behind a hostname, if its name tells it. */
export function findHost(hostname: string): Host | undefined {
  // Bitbucket Data Center has no pipelines.
  if (hostname === 'bitbucket.org') return 'bitbucket'
  if (/(?:^|[.-])github\b|\.ghe\.com$/.test(hostname)) return 'github'
  return /(?:^|[.-])gitlab\b/.test(hostname) ? 'gitlab' : undefined
}

async function surveyCi(
  git: GitSurvey | undefined,
  givenHost: Host | 'none' | undefined,
  boundary: string,
  files: Files,
): Promise<CiSurvey> {
  const workflows = (await files.list('.github/workflows')).filter((path) => /\.ya?ml$/.test(path))
  const others = otherCiFiles.filter((path) => statPath(join(boundary, path)))
  const included = (await files.list('.gitlab')).filter((path) => /\.ya?ml$/.test(path))
  let [existing, pagesWorkflow]: (string | undefined)[] = []
  for (const path of [...workflows, ...others, ...included]) {
    const text = await readFileText(path, files)
    if (text === undefined) continue
    if (/\bopenapi-pages\b/.test(text)) existing ??= path
    else if (/\bactions\/deploy-pages\b|^pages:/m.test(text)) pagesWorkflow ??= path
  }
  const byFiles = (): Host | undefined => {
    if (workflows.length > 0) return 'github'
    return hosts.find((host) => host !== 'github' && others.includes(pipelineFiles[host]))
  }
  const byRemote = git?.remoteHost === undefined ? undefined : findHost(git.remoteHost)
  const host = givenHost === 'none' ? undefined : (givenHost ?? byRemote ?? (git ? byFiles() : undefined))
  const own = host === 'gitlab' || host === 'bitbucket' ? pipelineFiles[host] : undefined
  const path = own !== undefined && others.includes(own) ? own : undefined
  return {
    host,
    existing,
    pagesFile: pagesWorkflow,
    pipeline: path === undefined ? undefined : { path, stages: await readStages(path, files) },
    // A host that the person names is the one to set up.
    otherCi: workflows.length > 0 || givenHost !== undefined ? undefined : others.find((each) => each !== own),
  }
}

/** The stages of a pipeline of GitLab, in order. */
async function readStages(path: string, files: Files): Promise<readonly string[]> {
  const text = await readFileText(path, files)
  const { value } = await parseSource(toSourceFile(path, new TextEncoder().encode(text)))
  const names = listTexts(readOwn(value, 'stages'))
  return names.length > 0 ? names : ['build', 'test', 'deploy']
}

/** Returns `undefined` if the file does not exist or cannot be read. */
export async function readFileText(path: string, files: Files): Promise<string | undefined> {
  const result = await files.read(path)
  return result.kind === 'file' ? new TextDecoder().decode(result.bytes) : undefined
}
