import type { DescriptionCheck } from '../../checks/check-description.ts'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { Files } from '../../files/files.ts'
import type { ReadRulesets } from '../../rules/read/read-rulesets.ts'
import { formatsOf, hasFormat, type Ruleset } from '../../rules/ruleset.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import { isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import type { Config } from '../config/project-config.ts'
import type { CheckTerms, DocsAccess, UsedRuleset } from '../types.ts'
import type { RulesetChoice } from './load-rulesets.ts'

/** The ruleset of a document. */
interface DocumentRuleset {
  /** Undefined if the document has none. */
  readonly ruleset: Ruleset | undefined
  /** Problems of the ruleset itself. Documents with the same ruleset share the list, so that it can be reported once. */
  readonly findings: readonly Finding[]
  /** The files of the ruleset, by path or URL. */
  readonly sources: ReadonlyMap<string, SourceFile>
  /** Where the ruleset is from. */
  readonly choice: RulesetChoice | undefined
}

/** Reads the rulesets of documents, each once. */
export interface RulesetReader {
  /** The rules that took too long in a document, which are not applied to others. */
  readonly slowRules: Set<string>
  /** The time that is left for all documents. */
  readonly time: { leftMs: number }
  /** The problem that the time is over, once it is. */
  readonly timeOver: Finding[]
  /**
   * Returns the ruleset of a document.
   *
   * @param documentPath relative to the boundary, or a URL.
   * @param document its value, which decides the targets of aliases.
   */
  read(documentPath: string, document: unknown): Promise<DocumentRuleset>
}

/**
 * Names of ruleset files, in order of precedence. Those without a dot are rulesets only if they have the keys of one.
 *
 * Source: Spectral, `DEFAULT_RULESET_FILE` in `packages/core/src/ruleset/ruleset.ts`.
 */
const rulesetNames = ['.spectral.yaml', '.spectral.yml', '.spectral.json', 'spectral.yaml', 'spectral.yml', 'spectral.json']
const scriptNames = ['.spectral.js', '.spectral.mjs', '.spectral.cjs', '.spectral.ts']

/** The most time for the rulesets of all documents of a run. */
export const maxRulesetMs = 300_000

const none: DocumentRuleset = { ruleset: undefined, findings: [], sources: new Map(), choice: undefined }

/**
 * Creates a reader of rulesets: those that the user named, else those of the configuration file, else the nearest file with the name of a
 * ruleset. The search goes from the folder of the document upward within the boundary, and then from the docs directory upward.
 *
 * Without a ruleset, it only looks for these names, and loads nothing else.
 *
 * @param root the docs directory, relative to the boundary.
 * @param named those that the user named.
 */
export function createRulesetReader(
  access: Pick<DocsAccess, 'files' | 'rulesetFiles' | 'fetchDocument' | 'rulesetTime'>,
  config: Pick<Config, 'rulesets' | 'limits'>,
  root: string,
  named: CheckTerms['rulesets'],
): RulesetReader {
  const byChoice = new Map<string, Promise<ReadRulesets>>()
  const byFolder = new Map<string, Promise<string | undefined>>()
  const find = (folder: string): Promise<string | undefined> => getOrMake(byFolder, folder, () => findIn(folder))
  const findIn = async (folder: string): Promise<string | undefined> =>
    (await findRulesetFile(folder, access.files)) ?? (folder === '' ? undefined : await find(parentPath(folder)))

  const choose = async (documentPath: string): Promise<RulesetChoice | undefined> => {
    if (named === 'none') return undefined
    if (named) return { kind: 'named', rulesets: named }
    if (config.rulesets === false) return undefined
    if (config.rulesets) return { kind: 'configured', rulesets: config.rulesets }
    const path = (await find(isUrl(documentPath) ? '' : parentPath(documentPath))) ?? (await find(root))
    return path === undefined ? undefined : { kind: 'found', path }
  }
  return {
    slowRules: new Set(),
    time: access.rulesetTime ?? { leftMs: maxRulesetMs },
    timeOver: [],
    async read(documentPath, document) {
      const choice = await choose(documentPath)
      if (!choice) return none
      const key = choice.kind === 'found' ? choice.path : ''
      // Loaded on demand, because most repositories have no ruleset.
      const { loadRulesets } = await import('./load-rulesets.ts')
      const files = (choice.kind === 'named' ? access.rulesetFiles : undefined) ?? access.files
      const pending = getOrMake(byChoice, key, () => loadRulesets(choice, { ...access, files }, config.limits))
      const { findings, sources, rulesetFor } = await pending
      return { ruleset: rulesetFor(documentPath, formatsOf(document)), findings, sources, choice }
    },
  }
}

/** Finds the ruleset file of one folder. */
async function findRulesetFile(folder: string, files: Files): Promise<string | undefined> {
  for (const name of [...rulesetNames, ...scriptNames]) {
    const path = joinPath(folder, name)
    const { kind, ...result } = await files.read(path)
    if (kind === 'missing' || kind === 'folder') continue
    // A link out of the boundary is reported, so that no rules are off without notice.
    if (kind === 'outside' && path.startsWith('../')) continue
    const isCertain = name.startsWith('.')
    if (isCertain || ('bytes' in result && isRuleset(result.bytes))) return path
  }
  return undefined
}

/** A file such as `spectral.yaml` can be an OpenAPI document. */
function isRuleset(bytes: Uint8Array): boolean {
  return /^[ \t{]*["']?(?:extends|rules|overrides)["']?[ \t]*:/m.test(new TextDecoder().decode(bytes))
}

/** What the ruleset of a document finds in it. */
export interface AppliedRuleset {
  /** Problems of the description. */
  readonly findings: readonly Finding[]
  /** Problems of the ruleset. Documents with the same ruleset share the list. */
  readonly rulesetFindings: readonly Finding[]
  /** The rules of the ruleset. */
  readonly ruleNames: readonly string[]
  /** Absent if no ruleset was applied. */
  readonly used?: UsedRuleset
  /** The rules that the ruleset turns off by their names. */
  readonly turnedOff: ReadonlySet<string>
  /** The files of the ruleset. */
  readonly sources: ReadonlyMap<string, SourceFile>
}

/** The most time for the rules of one document. */
const maxMs = 60_000

/** Applies the ruleset of a document, if it has one. A description that cannot be read has no problems. */
export async function applyRuleset(path: string, check: DescriptionCheck, rulesets: RulesetReader): Promise<AppliedRuleset> {
  const { description, documents, follow } = check
  const value = documents.get(path)?.parsed.value
  const { ruleset, findings: rulesetFindings, sources, choice } = await rulesets.read(path, value)
  const ruleNames = [...(ruleset?.rules.keys() ?? [])]
  const turnedOff = ruleset?.turnedOff ?? new Set<string>()
  if (!ruleset || !choice || !description || !follow) return { findings: [], rulesetFindings, ruleNames, turnedOff, sources }
  // Loaded on demand, because most repositories have no ruleset.
  const [{ namesOfChoice }, { runRuleset }, { createTimeLimit }] = await Promise.all([
    import('./load-rulesets.ts'),
    import('../../rules/run/run-ruleset.ts'),
    import('../read/time-limit.ts'),
  ])
  const own = formatsOf(value)
  const applied = [...ruleset.rules.values()].filter((rule) => hasFormat(rule, own))
  const used = { names: namesOfChoice(choice), rules: applied.map(({ name }) => name), files: [...sources.keys()] }
  const { time, timeOver, slowRules } = rulesets
  if (time.leftMs < 1) {
    if (timeOver.length === 0) timeOver.push(toTimeOver(path, used))
    return { findings: [], rulesetFindings: timeOver, ruleNames, turnedOff, sources }
  }
  const files = { entryPath: description.entryPath, documents, follow }
  const startedAt = performance.now()
  const findings = runRuleset(ruleset, files, createTimeLimit(Math.min(maxMs, time.leftMs)), { slowRules })
  time.leftMs -= performance.now() - startedAt
  return { findings, rulesetFindings, ruleNames, turnedOff, used, sources }
}

function toTimeOver(document: string, { names, files }: UsedRuleset): Finding {
  return {
    code: 'ruleset-problem',
    message: `The rules did not run in \`${document}\` and the documents after it: all documents together take longer than ${maxRulesetMs / 60_000} minutes`,
    file: names.find((name) => files.includes(name)) ?? document,
    pointer: '',
    hint: 'Check fewer documents at once, or simplify the rules',
  }
}
