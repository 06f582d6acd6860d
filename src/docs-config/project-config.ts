import type { RuleSettings } from '../diagnostics/apply-rules.ts'
import type { Finding } from '../diagnostics/diagnostic.ts'
import { capLimits, defaultLimits, type Limits, type LimitValues } from '../source/limits.ts'

/** The names of the configuration file in the docs root, the first that is there counts. */
export const configFileNames = ['openapi-pages.config.yaml', 'openapi-pages.config.json'] as const

/** The settings of a docs root. */
export interface Config {
  /** Which divisions have their pages written into the repository; the others stay virtual. */
  readonly materialise: ByLabel<boolean>
  readonly order: ByLabel<OrderSetting>
  readonly unlisted: ByLabel<UnlistedSetting>
  /** Whether an operation without the `operationId` it had is looked for by what else it has. */
  readonly renames: boolean
  /** Which entries of `components.schemas` have pages. */
  readonly schemas: ByLabel<SchemaPages>
  /** Whether each group begins with a page about itself. */
  readonly overviews: ByLabel<boolean>
  readonly update: UpdateSetting
  readonly github: GitHubSetting
  readonly site: SiteSetting
  /** How large, deep and many what is read may be. */
  readonly limits: Limits
  /** The levels of findings by their code. */
  readonly rules: RuleSettings['severities']
  /** Findings that are left out. */
  readonly ignore: RuleSettings['ignores']
  /** File with known problems, relative to the boundary; see `formatBaseline`. */
  readonly baseline: string | undefined
}

/** What an update does. */
export interface UpdateSetting {
  /**
   * Which pages an error leaves as they are: `document` all of its document, `operation` only those of the operations that it affects
   * (see `findAffected`).
   */
  readonly onError: (typeof onErrorSettings)[number]
}

/** The words of `update.onError`. */
export const onErrorSettings = ['document', 'operation'] as const

/** What is said on GitHub about what was found. */
export interface GitHubSetting {
  /** What errors make of the check: `failure` holds back a merge that requires it, `neutral` only shows them, `off` checks nothing. */
  readonly check: 'failure' | 'neutral' | 'off'
  /** `failure`: one comment on a pull request whose documents have errors; `off`: none. */
  readonly comment: 'failure' | 'off'
  /** A commit status beside the check, which those can read that cannot read checks. */
  readonly 'commit-status': boolean
  /** A deployment for each checked commit, where the app was granted to write them. */
  readonly deployment: boolean
  /**
   * Which pull requests from forks get a preview: `approve` those of earlier contributors, and of anyone else after a person with write
   * access approved the commit; `always` all; `never` none. Read from the default branch of the base repository only.
   */
  readonly forkPreviews: (typeof forkPreviewSettings)[number]
}

/** The values of `github.forkPreviews`. */
export const forkPreviewSettings = ['approve', 'always', 'never'] as const

/** What the app does with the sites it builds. */
export interface SiteSetting {
  /**
   * Which commits of the default branch the project's own address shows: `success` those without errors, and others only until there is one;
   * `always` every commit whose site could be built.
   */
  readonly publish: 'success' | 'always'
}

/** A setting that single divisions can have another value of. */
export interface ByLabel<Value> {
  /** For the divisions that are not named. */
  readonly byDefault: Value
  /** By the label of a division; `pointer` is where that stands in the configuration file. */
  readonly byLabel: readonly { readonly label: string; readonly value: Value; readonly pointer: string }[]
}

/** The words of `order`: see `orderGroups`. */
export const orderSettings = ['tags', 'first-use', 'alphabetical'] as const

/** The order of groups in a division, and of pages in a group. */
export type OrderSetting = (typeof orderSettings)[number]

/** The words of `unlisted`. */
export const unlistedSettings = ['report', 'add', 'ignore'] as const

/** All schemas, none, or those that one of the names fits; `*` in a name stands for any characters. */
export type SchemaPages = boolean | readonly string[]

/** What to do with operations that are not listed in a division whose pages are listed by hand. */
type UnlistedSetting = (typeof unlistedSettings)[number]

export const defaultConfig: Config = {
  materialise: { byDefault: true, byLabel: [] },
  order: { byDefault: 'tags', byLabel: [] },
  unlisted: { byDefault: 'report', byLabel: [] },
  renames: true,
  schemas: { byDefault: false, byLabel: [] },
  overviews: { byDefault: false, byLabel: [] },
  update: { onError: 'document' },
  github: { check: 'failure', comment: 'failure', 'commit-status': false, deployment: false, forkPreviews: 'approve' },
  site: { publish: 'success' },
  limits: defaultLimits,
  rules: new Map(),
  ignore: [],
  baseline: undefined,
}

/** The settings where there is no file, with limits that are not over these ceilings. */
export function toDefaultConfig(ceilings: LimitValues): Config {
  return ceilings === defaultLimits.ceilings ? defaultConfig : { ...defaultConfig, limits: capLimits(ceilings) }
}

/** What a setting says for a division: by its id, which tells those of one label apart, else by its label. */
export function settingOf<Value>(
  { byDefault, byLabel }: ByLabel<Value>,
  { id, label }: { readonly id: string; readonly label: string | undefined },
): Value {
  const entry = byLabel.find((candidate) => candidate.label === id) ?? byLabel.find((candidate) => candidate.label === label)
  return entry?.value ?? byDefault
}

/**
 * The names of the file that makes a folder a docs root, the first that is there counts. `mint.json` is what `docs.json` was called before 2025;
 * it has a shape of its own and is read with the same meaning.
 */
export const docsConfigNames = ['docs.json', 'mint.json'] as const

/** Tells the configuration of a docs root by its path. */
export function isDocsConfigPath(path: string): boolean {
  return docsConfigNames.some((name) => path === name || path.endsWith(`/${name}`))
}

/** Names that somebody may give the configuration file. Without `config` in it a name may be that of a document, so that only few are taken for one. */
const likely =
  /^(?:\.?openapi-pages[.-]config(?:\.(?:ya?ml|json[c5]?|toml|[cm]?[jt]s))?|\.openapi-pages(?:rc)?(?:\.(?:ya?ml|json|toml|[cm]?[jt]s))?|openapi-pages\.(?:ya?ml|toml))$/i

/** A document of OpenAPI, which may be called so too. */
const isDocument = (text: string) => /^[ \t{]*["']?(?:openapi|swagger)["']?[ \t]*:/m.test(text)

/**
 * Files of a docs root that look like its configuration file and are not read.
 *
 * @param names of the files in the folder itself.
 * @param readText is asked for those whose name may be another's.
 */
export async function findUnreadConfigs(
  names: readonly string[],
  readText: (name: string) => Promise<string>,
): Promise<Pick<Finding, 'code' | 'message' | 'hint' | 'file' | 'pointer'>[]> {
  const counts = configFileNames.find((name) => names.includes(name))
  const [wanted] = configFileNames
  const found: Pick<Finding, 'code' | 'message' | 'hint' | 'file' | 'pointer'>[] = []
  for (const name of names) {
    if (name === counts || !likely.test(name)) continue
    // A disk on which capitals make no difference gives it under the right name.
    if (configFileNames.some((one) => one === name.toLowerCase()) && name !== name.toLowerCase() && counts === undefined) {
      found.push(toFinding(name, 'it is read only where capitals make no difference', `rename it to \`${name.toLowerCase()}\``))
      continue
    }
    if (!/config/i.test(name) && isDocument(await readText(name))) continue
    if (counts !== undefined) {
      found.push(toFinding(name, `\`${counts}\` counts`, `move what it sets into \`${counts}\`, and remove it`))
    } else {
      const isYaml = /\.ya?ml$/i.test(name)
      found.push(
        toFinding(name, 'it is not read', isYaml ? `rename it to \`${wanted}\`` : `write what it sets into \`${wanted}\``),
      )
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
