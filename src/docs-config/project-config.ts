import type { RuleSettings } from '../diagnostics/apply-rules.ts'
import type { Finding } from '../diagnostics/diagnostic.ts'
import type { ChangeCode, ChangeLevel } from '../openapi/changes/change-codes.ts'
import type { ChangeThreshold } from '../openapi/changes/change-threshold.ts'
import { capLimits, defaultLimits, type Limits, type LimitValues } from '../source/limits.ts'

/** Names of the configuration file in the docs directory, in order of precedence. */
export const configFileNames = ['openapi-pages.config.yaml', 'openapi-pages.config.json'] as const

/** The JSON Schema of the configuration file, for the key `$schema`. */
export const configSchemaUrl =
  'https://raw.githubusercontent.com/openapi-pages/openapi-pages/main/docs/schemas/config.schema.json'

/** American spellings of settings, which are accepted too. */
export const otherSpellings: { readonly [spelling: string]: keyof Config } = { materialize: 'materialise' }

/** The settings of a docs directory. */
export interface Config {
  /** Divisions with pages in the repository. The others stay virtual. */
  readonly materialise: ByLabel<boolean>
  readonly order: ByLabel<OrderSetting>
  readonly unlisted: ByLabel<UnlistedSetting>
  /** Whether to detect renames by similarity if the `operationId` does not match. */
  readonly renames: boolean
  /** Entries of `components.schemas` that get a page. */
  readonly schemas: ByLabel<SchemaPages>
  readonly overviews: ByLabel<OverviewSetting>
  readonly update: UpdateSetting
  readonly github: GitHubSetting
  readonly site: SiteSetting
  readonly changes: ChangesSetting
  /** Size, depth and count limits for input. */
  readonly limits: Limits
  /** Severity overrides by diagnostic code. */
  readonly rules: RuleSettings['severities']
  /** Diagnostics to suppress. */
  readonly ignore: RuleSettings['ignores']
  /** File with known problems, relative to the boundary; see `formatBaseline`. */
  readonly baseline: string | undefined
}

/** Settings for updates. */
export interface UpdateSetting {
  /**
   * Pages to leave unchanged after an error: `document` means all pages of the document, `operation` only those of the affected
   * operations (see `findAffected`).
   */
  readonly onError: (typeof onErrorSettings)[number]
}

/** The values of `update.onError`. */
export const onErrorSettings = ['document', 'operation'] as const

/** How results are shown on GitHub. */
export interface GitHubSetting {
  /**
   * The conclusion of the check if there are errors. `failure` blocks a merge if the check is required, `neutral` only shows the
   * errors, and `off` disables the check.
   */
  readonly check: (typeof checkConclusions)[number]
  /** `failure`: comment once on a pull request with invalid documents. `off`: do not comment. */
  readonly comment: (typeof commentSettings)[number]
  /** Set a commit status in addition to the check, for tools that cannot read checks. */
  readonly 'commit-status': boolean
  /** Create a deployment for each checked commit, if the app has the permission. */
  readonly deployment: boolean
  /**
   * Which pull requests from forks get a preview. `approve`: those of earlier contributors, and others after a person with write
   * access approves the commit. `always`: all. `never`: none. Only the default branch of the base repository is read.
   */
  readonly forkPreviews: (typeof forkPreviewSettings)[number]
}

/** The values of `github.check`. */
export const checkConclusions = ['failure', 'neutral', 'off'] as const

/** The values of `github.comment`. */
export const commentSettings = ['failure', 'off'] as const

/** The values of `github.forkPreviews`. */
export const forkPreviewSettings = ['approve', 'always', 'never'] as const

/** Settings for sites. */
export interface SiteSetting {
  /**
   * Which commits of the default branch become the production site. `success`: commits without errors, or any commit until there
   * is one. `always`: every commit with a site.
   */
  readonly publish: (typeof publishSettings)[number]
  /** Whether pages run the `.js` files of the docs directory. Never in previews of forks. */
  readonly scripts: boolean
  /** What happens to pages and parts of documents that only some readers may see: sites leave them out, or publish them for everyone. */
  readonly restricted: (typeof restrictedSettings)[number]
}

/** The values of `site.restricted`. */
export const restrictedSettings = ['hide', 'publish'] as const

/** The values of `site.publish`. */
export const publishSettings = ['success', 'always'] as const

/** Settings for the comparison of two versions of a description. */
export interface ChangesSetting {
  /** Levels by change code. `off` leaves out the changes with a code. */
  readonly levels: { readonly [code in ChangeCode]?: ChangeLevel | 'off' }
  /** The least severe level of changes that fail the check, the Action and the command. */
  readonly failOn: ChangeThreshold
  /** The changes that are reported in a comment on a pull request. */
  readonly comment: (typeof changeComments)[number]
  /** The versions in the changelog of each document in sites. `commits`: each commit that changes the API. `off`: no changelog. */
  readonly changelog: (typeof changelogSettings)[number]
  /** The tags of versions, with `*` for the version, such as `api-v*`. Absent for tags such as `1.0` and `v1.0`. */
  readonly tags: string | undefined
}

/** The values of `changes.comment`. */
export const changeComments = ['breaking', 'any', 'never'] as const

/** The values of `changes.changelog`. */
export const changelogSettings = ['off', 'tags', 'commits'] as const

/** A setting with an optional value per division. */
export interface ByLabel<Value> {
  /** For all other divisions. */
  readonly byDefault: Value
  /** `pointer` is the location of the label in the configuration file. */
  readonly byLabel: readonly { readonly label: string; readonly value: Value; readonly pointer: string }[]
}

/** The values of `order`; see `orderGroups`. */
export const orderSettings = ['tags', 'first-use', 'alphabetical'] as const

/** The order of groups in a division and of pages in a group. */
export type OrderSetting = (typeof orderSettings)[number]

/** The values of `unlisted`. */
export const unlistedSettings = ['report', 'add', 'ignore'] as const

/** All schemas, none, or those that match a name. `*` matches any characters. */
export type SchemaPages = boolean | readonly string[]

/**
 * Where APIs and groups have an overview. `site`: in sites, in divisions with generated navigation. `true`: also as a page file for each group.
 * `false`: nowhere.
 */
export type OverviewSetting = boolean | 'site'

/** What to do with unlisted operations in a division with hand-listed pages. */
type UnlistedSetting = (typeof unlistedSettings)[number]

export const defaultConfig: Config = {
  materialise: { byDefault: true, byLabel: [] },
  order: { byDefault: 'tags', byLabel: [] },
  unlisted: { byDefault: 'report', byLabel: [] },
  renames: true,
  schemas: { byDefault: false, byLabel: [] },
  overviews: { byDefault: 'site', byLabel: [] },
  update: { onError: 'document' },
  github: { check: 'failure', comment: 'failure', 'commit-status': false, deployment: false, forkPreviews: 'approve' },
  site: { publish: 'success', scripts: false, restricted: 'hide' },
  changes: { levels: {}, failOn: 'never', comment: 'breaking', changelog: 'off', tags: undefined },
  limits: defaultLimits,
  rules: new Map(),
  ignore: [],
  baseline: undefined,
}

/** Returns the default settings, with limits capped at `ceilings`. */
export function toDefaultConfig(ceilings: LimitValues): Config {
  return ceilings === defaultLimits.ceilings ? defaultConfig : { ...defaultConfig, limits: capLimits(ceilings) }
}

/**
 * Returns the value of a setting for a division. The ID takes precedence over the label, since several divisions can have the
 * same label.
 */
export function settingOf<Value>(
  { byDefault, byLabel }: ByLabel<Value>,
  { id, label }: { readonly id: string; readonly label: string | undefined },
): Value {
  const entry = byLabel.find((candidate) => candidate.label === id) ?? byLabel.find((candidate) => candidate.label === label)
  return entry?.value ?? byDefault
}

/**
 * Names of the file that marks a docs directory, in order of precedence. `mint.json` is the format from before 2025 and is
 * converted on reading.
 */
export const docsConfigNames = ['docs.json', 'mint.json'] as const

/** Whether a path is the configuration of a docs directory. */
export function isDocsConfigPath(path: string): boolean {
  return docsConfigNames.some((name) => path === name || path.endsWith(`/${name}`))
}

/**
 * Likely misspellings of the configuration file name. Names without `config` could be OpenAPI documents, so only a few are
 * included.
 */
const likelyConfigName =
  /^(?:\.?openapi-pages[.-]config(?:\.(?:ya?ml|json[c5]?|toml|[cm]?[jt]s))?|\.openapi-pages(?:rc)?(?:\.(?:ya?ml|json|toml|[cm]?[jt]s))?|openapi-pages\.(?:ya?ml|toml))$/i

/** An OpenAPI document can have such a name too. */
const isOpenApiDocument = (text: string) => /^[ \t{]*["']?(?:openapi|swagger)["']?[ \t]*:/m.test(text)

/**
 * Finds files that look like a configuration file but are not read.
 *
 * @param names of the files in the docs directory itself. @param readText reads files with an ambiguous name.
 */
export async function findUnreadConfigs(
  names: readonly string[],
  readText: (name: string) => Promise<string>,
): Promise<Pick<Finding, 'code' | 'message' | 'hint' | 'file' | 'pointer'>[]> {
  const counts = configFileNames.find((name) => names.includes(name))
  const [wanted] = configFileNames
  const found: Pick<Finding, 'code' | 'message' | 'hint' | 'file' | 'pointer'>[] = []
  for (const name of names) {
    if (name === counts || !likelyConfigName.test(name)) continue
    // A case-insensitive file system lists the file under its correct name.
    if (configFileNames.some((one) => one === name.toLowerCase()) && name !== name.toLowerCase() && counts === undefined) {
      found.push(toFinding(name, 'only case-insensitive file systems find it', `Rename it to \`${name.toLowerCase()}\``))
      continue
    }
    if (!/config/i.test(name) && isOpenApiDocument(await readText(name))) continue
    if (counts !== undefined) {
      found.push(toFinding(name, `\`${counts}\` takes precedence`, `Move its settings to \`${counts}\` and delete it`))
    } else {
      const isYaml = /\.ya?ml$/i.test(name)
      found.push(toFinding(name, 'it is not read', isYaml ? `Rename it to \`${wanted}\`` : `Move its settings to \`${wanted}\``))
    }
  }
  return found
}

function toFinding(name: string, reason: string, hint: string) {
  return {
    code: 'config-not-read',
    message: `Unexpected configuration file \`${name}\`: ${reason}`,
    hint,
    file: name,
    pointer: '',
  } as const
}
