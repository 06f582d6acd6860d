import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isObject } from '../src/source/is-object.ts'

// What the first release needs, in the order of CONTRIBUTING.md. A dry run of a release prints the state of each item.

/** A response of GitHub or of the registry of images; undefined if there is none. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** How the checklist asks others. A failed request is undefined. */
export interface Sources {
  /** GitHub's REST API, with a path such as `/repos/acme/docs`. */
  github(path: string): Promise<Answer | undefined>
  /** The versions of a package on npm and whether each has provenance, `missing` if there is no such package. */
  npm(name: string): Promise<readonly { readonly version: string; readonly hasProvenance: boolean }[] | 'missing' | undefined>
  /** The platforms of an image that everyone can pull, such as `linux/amd64`. `missing` if it is not public. */
  image(name: string, tag: string): Promise<readonly string[] | 'missing' | undefined>
}

/** `unknown`: it cannot be checked from here. Only `open` items block a release. */
export interface ChecklistResult {
  readonly title: string
  readonly state: 'done' | 'open' | 'unknown'
  /** What is missing, or where to look. */
  readonly detail: string
}

interface ChecklistItem {
  /** As in CONTRIBUTING.md. */
  readonly title: string
  readonly check: (sources: Sources) => Promise<Omit<ChecklistResult, 'title'>>
}

export const repository = 'openapi-pages/openapi-pages'
export const packageNames = ['openapi-pages', 'openapi-pages-app'] as const
/** The version of the packages that are published before the first release. */
export const placeholderVersion = '0.0.0'
const image = 'openapi-pages/openapi-pages'

const done = { state: 'done', detail: '' } as const
const open = (detail: string) => ({ state: 'open', detail }) as const
const unknown = (detail: string) => ({ state: 'unknown', detail }) as const
const withToken = 'set GH_TOKEN to the token of a maintainer'

export const checklist: readonly ChecklistItem[] = [
  {
    title: 'Public repository',
    check: async ({ github }) => {
      const answer = await github(`/repos/${repository}`)
      if (answer?.status === 404) return open(`https://github.com/${repository} is not public`)
      if (answer?.status !== 200 || !isObject(answer.body)) return unknown(`see https://github.com/${repository}`)
      return answer.body['private'] === false ? done : open('npm makes provenance only for public repositories')
    },
  },
  {
    title: 'Immutable releases',
    check: async ({ github }) => {
      const answer = await github(`/repos/${repository}/immutable-releases`)
      if (answer?.status !== 200 || !isObject(answer.body)) return unknown(`${withToken}, or see the settings of the repository`)
      return answer.body['enabled'] === true
        ? done
        : open('turn on "Enable release immutability" in the settings of the repository')
    },
  },
  { title: 'Tag ruleset', check: checkRulesets },
  {
    title: 'Environment `npm`',
    check: async ({ github }) => {
      const answer = await github(`/repos/${repository}/environments/npm`)
      if (answer?.status !== 200 || !isObject(answer.body))
        return unknown(`${withToken}, or see the environments of the repository`)
      const { protection_rules: rules } = answer.body
      const isReviewed = Array.isArray(rules) && rules.some((rule) => isObject(rule) && rule['type'] === 'required_reviewers')
      return isReviewed ? done : open('add required reviewers to the environment')
    },
  },
  {
    title: 'Placeholder packages',
    check: async ({ npm }) => {
      const found = await Promise.all(packageNames.map(async (name) => ({ name, versions: await npm(name) })))
      const missing = found.filter(({ versions }) => versions === 'missing').map(({ name }) => name)
      if (missing.length > 0) return open(`npm has no package ${missing.join(' and ')}`)
      return found.some(({ versions }) => versions === undefined) ? unknown('npm cannot be reached') : done
    },
  },
  {
    title: 'Trusted publishers',
    check: async ({ npm }) => {
      const found = await Promise.all(packageNames.map((name) => npm(name)))
      const isPublished = found.every(
        (versions) => Array.isArray(versions) && versions.some(({ hasProvenance }) => hasProvenance),
      )
      // npm shows the publisher only to maintainers. A version with provenance proves that it works.
      return isPublished ? done : unknown('npm shows them only to maintainers: see the settings of both packages')
    },
  },
  {
    title: 'Public image',
    check: async (sources) => {
      const platforms = await sources.image(image, 'latest')
      if (platforms === undefined) return unknown('ghcr.io cannot be reached')
      // The first release creates it, so it blocks none.
      if (platforms === 'missing') return unknown('after the first release, make the package public')
      const missing = ['linux/amd64', 'linux/arm64'].filter((platform) => !platforms.includes(platform))
      return missing.length === 0 ? done : open(`\`latest\` has no image for ${missing.join(' and ')}`)
    },
  },
]

/** Whether active rules protect the tag of a release, and let the workflow move the others. */
async function checkRulesets({ github }: Sources): Promise<Omit<ChecklistResult, 'title'>> {
  const listed = await github(`/repos/${repository}/rulesets`)
  const see = `see https://github.com/${repository}/rules`
  if (listed?.status !== 200 || !Array.isArray(listed.body)) return unknown(see)
  const patterns: string[] = []
  for (const { id, target, enforcement } of listed.body.filter(isObject)) {
    if (target !== 'tag' || enforcement !== 'active') continue
    const answer = await github(`/repos/${repository}/rulesets/${String(id)}`)
    if (answer?.status !== 200 || !isObject(answer.body)) return unknown(see)
    patterns.push(...readUpdatePatterns(answer.body))
  }
  const isProtected = (tag: string) => patterns.some((pattern) => matchesRef(pattern, `refs/tags/${tag}`))
  const blocked = ['v1', 'v1.2'].filter(isProtected)
  if (blocked.length > 0)
    return open(`a rule blocks the workflow from moving ${blocked.join(' and ')}: use the pattern \`v*.*.*\``)
  return isProtected('v1.2.3') ? done : open('no active rule protects v1.2.3: import .github/rulesets/release-tags.json')
}

/** The patterns of the tags that a ruleset forbids to move. Source: GitHub REST, "Get a repository ruleset". */
export function readUpdatePatterns(ruleset: { readonly [key: string]: unknown }): readonly string[] {
  const { conditions, rules } = ruleset
  const forbids = Array.isArray(rules) && rules.some((rule) => isObject(rule) && rule['type'] === 'update')
  const names = isObject(conditions) ? conditions['ref_name'] : undefined
  const include = isObject(names) ? names['include'] : undefined
  return forbids && Array.isArray(include) ? include.map(String) : []
}

/** Matches a pattern of a ruleset. Source: GitHub, "Using fnmatch syntax": `*` matches anything but `/`. */
export function matchesRef(pattern: string, ref: string): boolean {
  if (pattern === '~ALL') return true
  const source = pattern
    .replaceAll(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('**', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '.*')
  return new RegExp(`^${source.replaceAll('?', '[^/]')}$`).test(ref)
}

/** Checks all items in order. */
export async function runChecklist(sources: Sources): Promise<readonly ChecklistResult[]> {
  const results: ChecklistResult[] = []
  for (const { title, check } of checklist) results.push({ title, ...(await check(sources)) })
  return results
}

/** Formats the results, one line for each. */
export function formatChecklist(results: readonly ChecklistResult[]): string {
  const marks = { done: '✔', open: '✖', unknown: '?' }
  return results.map(({ title, state, detail }) => `${marks[state]} ${title}${detail === '' ? '' : `: ${detail}`}\n`).join('')
}

/** Asks GitHub, npm and the registry of images. With a token in `GH_TOKEN`, GitHub answers about settings, too. */
export function openSources(environment: NodeJS.ProcessEnv): Sources {
  const token = environment['GH_TOKEN'] || environment['GITHUB_TOKEN']
  return {
    github: (path) => get(`https://api.github.com${path}`, token ? { authorization: `Bearer ${token}` } : {}),
    npm: readPackage,
    image: readImage,
  }
}

async function get(url: string, headers: { readonly [name: string]: string }): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) })
    return { status: response.status, body: await response.json().catch(() => undefined) }
  } catch {
    return undefined
  }
}

async function readPackage(name: string): ReturnType<Sources['npm']> {
  const view = async (...fields: readonly string[]): Promise<unknown> => {
    const args = ['view', ...fields, '--json', '--loglevel=silent']
    const { stdout } = await promisify(execFile)('npm', args, { shell: process.platform === 'win32', timeout: 20_000 })
    return stdout === '' ? undefined : JSON.parse(stdout)
  }
  try {
    const versions = [await view(name, 'versions')].flat().map(String)
    const latest = versions.at(-1) ?? ''
    const hasProvenance = (await view(`${name}@${latest}`, 'dist.attestations.url')) !== undefined
    return versions.map((version) => ({ version, hasProvenance: version === latest && hasProvenance }))
  } catch (error) {
    const output = isObject(error) ? String(error['stdout']) : ''
    return output.includes('E404') ? 'missing' : undefined
  }
}

async function readImage(name: string, tag: string): ReturnType<Sources['image']> {
  const token = await get(`https://ghcr.io/token?scope=repository:${name}:pull`, {})
  if (token === undefined) return undefined
  const value = isObject(token.body) ? String(token.body['token']) : ''
  const accept = 'application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json'
  const answer = await get(`https://ghcr.io/v2/${name}/manifests/${tag}`, { authorization: `Bearer ${value}`, accept })
  if (answer === undefined) return undefined
  if (answer.status !== 200 || !isObject(answer.body)) return 'missing'
  const { manifests } = answer.body
  return (Array.isArray(manifests) ? manifests : []).flatMap((manifest: unknown) => {
    const platform = isObject(manifest) ? manifest['platform'] : undefined
    return isObject(platform) ? [`${String(platform['os'])}/${String(platform['architecture'])}`] : []
  })
}
