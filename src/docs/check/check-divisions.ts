import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import { pointerChild } from '../../text/json/json-values.ts'
import { groupBy, listFirst } from '../../text/plain/lists.ts'
import { baseName, joinPath, matchWildcards } from '../../text/plain/paths.ts'
import { suggest } from '../../text/plain/suggest.ts'
import { lockFileName } from '../config/config-files.ts'
import type { SchemaPages } from '../config/config-setting.ts'
import { settingOf } from '../config/project-config.ts'
import { canContainGroups } from '../pages/navigation-entries.ts'
import type { DeclaredDivision, PagePlan, ReplacementOf } from '../pages/subjects.ts'
import type { GitFacts } from '../types.ts'
import type { Survey } from './survey-docs-directory.ts'

/** Reports problems with the divisions of a docs directory and their settings. */
export function checkDivisions(survey: Survey, divisions: readonly DeclaredDivision[], replacementOf: ReplacementOf): Finding[] {
  if (!survey.docsConfig) return []
  return [
    ...findUnusableKeys(survey),
    ...findUnknownLabels(survey),
    ...findIgnoredMaterialize(survey, divisions),
    ...findGoneDivisions(survey, divisions),
    ...findUnlisted(survey, divisions, replacementOf),
    ...findUnwritten(survey, divisions),
  ]
}

function findUnusableKeys({ docsConfig }: Survey): Finding[] {
  const without = (docsConfig?.divisions ?? []).filter((division) => division.sources.length > 0 && !canContainGroups(division))
  return without.map(({ pointer }) => ({
    code: 'navigation-openapi',
    message: 'Unexpected `openapi` on `navigation` together with other divisions: there is no place to list its pages',
    file: docsConfig?.source.path ?? '',
    pointer: `${pointer}/openapi`,
    on: 'key',
    hint: 'Move it to the tab or other division for these pages',
  }))
}

/** The path of the configuration file, if there is one. */
function findConfigFile({ sources, configPath }: Survey): string | undefined {
  return sources.find(({ path }) => path === configPath)?.path
}

/** Reports `materialize: false` for divisions whose pages are already files: an update must not remove all of them. */
function findIgnoredMaterialize(survey: Survey, divisions: readonly DeclaredDivision[]): Finding[] {
  const { materialize } = survey.config
  const file = findConfigFile(survey)
  if (file === undefined) return []
  return divisions.flatMap((division) => {
    const { id, label, sources } = division
    const hasPages = division.mode !== 'virtual' && sources.some(({ adopted, isInKey }) => !adopted && !isInKey)
    if (!hasPages || settingOf(materialize, division)) return []
    const entry = materialize.byLabel.find((candidate) => candidate.label === id || candidate.label === label)
    const isUnique = label !== '' && divisions.filter((other) => other.label === label).length === 1
    const name = isUnique ? label : id
    return {
      code: 'materialize-ignored',
      message: `\`materialize: false\` has no effect on \`${name}\`, because its pages are files`,
      file,
      pointer: entry?.pointer ?? '/materialize',
      on: 'key',
      hint: 'To leave its pages to the docs host, add `openapi` to the division in `docs.json` again. Or remove the setting',
    } as const
  })
}

function findUnknownLabels(survey: Survey): Finding[] {
  const { docsConfig, config } = survey
  const labels = (docsConfig?.divisions ?? []).map(({ label }) => label).filter((label) => label !== '')
  const ids = new Set(docsConfig?.divisions.map(({ id }) => id))
  const file = findConfigFile(survey)
  if (file === undefined) return []
  const { materialize, order, unlisted, schemas, overviews } = config
  const named = [materialize, order, unlisted, schemas, overviews].flatMap(({ byLabel }) =>
    byLabel.map(({ label, pointer }) => ({ label, pointer })),
  )
  return named.flatMap(({ label, pointer }) => {
    if (labels.includes(label) || ids.has(label)) return []
    const near = suggest(label, labels)
    const message = `Cannot find the division \`${label}\` in \`docs.json\``
    const hint = near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }
    return { code: 'unknown-division', message, file, pointer, on: 'key', ...hint } as const
  })
}

function findGoneDivisions({ lock, root }: Survey, divisions: readonly DeclaredDivision[]): Finding[] {
  const known = new Set(divisions.map(({ lockedId }) => lockedId))
  return (lock?.divisions ?? []).flatMap(({ id }) => {
    const count = known.has(id) ? 0 : (lock?.pages ?? []).filter(({ division }) => division === id).length
    if (count === 0) return []
    return {
      code: 'division-gone',
      message: `Cannot find the division \`${id}\`, which has ${formatCount(count, 'generated page')}`,
      file: joinPath(root, lockFileName),
      pointer: pointerChild('/divisions', id),
      on: 'key',
      hint: 'Add `openapi` to the division for these pages, or delete the pages and this line',
    } as const
  })
}

function findUnlisted(
  { docsConfig, documents, config, configPath }: Survey,
  divisions: readonly DeclaredDivision[],
  replacementOf: ReplacementOf,
): Finding[] {
  return divisions.flatMap((division) => {
    const { mode, sources, label, pointer } = division
    if (mode !== 'listed' || pointer === undefined || settingOf(config.unlisted, division) !== 'report') return []
    return sources.flatMap(({ source }) => {
      const subjects = documents.find((document) => document.source === source)?.index?.subjects ?? []
      const unlisted = subjects.filter(
        ({ target, hidden, excluded }) => !hidden && !excluded && !replacementOf(division, source, target),
      )
      return unlisted.map(
        ({ target }): Finding => ({
          code: 'unlisted-operation',
          message: `\`${target}\` of \`${source}\` is not listed in ${label === '' ? 'the navigation' : `\`${label}\``}`,
          file: docsConfig?.source.path ?? '',
          pointer: `${pointer}/openapi`,
          on: 'key',
          hint: `Add the entry \`${target}\`, or set \`unlisted\` to \`add\` or \`ignore\` in \`${baseName(configPath)}\``,
        }),
      )
    })
  })
}

/** Reports operations without a page in an adopted division, one diagnostic per document because there can be hundreds. */
function findUnwritten({ docsConfig, lock, config, configPath }: Survey, divisions: readonly DeclaredDivision[]): Finding[] {
  return divisions.flatMap((division) => {
    const { lockedId, label, pointer } = division
    const own = (lock?.unwritten ?? []).filter((entry) => entry.division === lockedId)
    if (pointer === undefined || settingOf(config.unlisted, division) !== 'report') return []
    return [...groupBy(own, ({ document }) => document)].map(([document, entries]): Finding => {
      const names = listFirst(entries, 3, ({ operation }) => `\`${operation}\``)
      const name = label === '' ? 'the navigation' : `\`${label}\``
      const pages = entries.length === 1 ? 'a page' : 'pages'
      return {
        code: 'unlisted-operation',
        message: `${names} of \`${document}\` ${entries.length === 1 ? 'has' : 'have'} no page in ${name}`,
        file: docsConfig?.source.path ?? '',
        pointer,
        hint: `To generate ${pages}, set \`unlisted: add\` in \`${baseName(configPath)}\`, or \`unlisted: ignore\` to hide this message`,
      }
    })
  })
}

/** Reports pages that are ignored by Git, one diagnostic per division. */
export async function checkIgnored(
  { root, docsConfig }: Survey,
  divisions: readonly DeclaredDivision[],
  plan: PagePlan,
  git: GitFacts | undefined,
): Promise<Finding[]> {
  const planned = plan.divisions.map(({ id, groups }) => {
    const pages = groups.flatMap((group) => group.pages).filter(({ kind }) => kind === 'generated')
    return { id, paths: pages.map(({ path }) => joinPath(root, path)) }
  })
  const paths = planned.flatMap((division) => division.paths)
  if (!git?.findIgnored || paths.length === 0) return []
  const lockPath = joinPath(root, lockFileName)
  const ignored = new Set(await git.findIgnored([...paths, lockPath]))
  const findings = planned.flatMap(({ id, paths: own }): Finding[] => {
    const hits = own.filter((path) => ignored.has(path))
    const first = hits[0]
    if (first === undefined) return []
    const pointer = divisions.find((division) => division.id === id)?.pointer
    const location =
      docsConfig && pointer !== undefined ? { file: docsConfig.source.path, pointer } : { file: first, pointer: '' }
    const message = `Git ignores ${hits.length} of ${own.length} pages, for example \`${first}\``
    return [
      { code: 'page-ignored', message, ...location, hint: 'Remove the pattern from `.gitignore`, or use another `directory`' },
    ]
  })
  if (ignored.has(lockPath)) {
    const message = `Git ignores \`${lockPath}\`, which is needed to recognize generated pages`
    findings.push({ code: 'page-ignored', message, file: lockPath, pointer: '', hint: 'Remove it from `.gitignore`' })
  }
  return findings
}

/** Reports names in the setting `schemas` that match no schema, unless a document has errors. */
export function checkSchemaNames(survey: Survey): Finding[] {
  const { config, documents } = survey
  const file = findConfigFile(survey)
  const named = documents.filter(({ isNamed }) => isNamed)
  if (file === undefined || named.some(({ index }) => index === undefined)) return []
  const names = [...new Set(named.flatMap(({ index }) => [...(index?.schemaNames ?? [])]))]
  const find = (pages: SchemaPages, pointer: string) => {
    if (typeof pages === 'boolean') return []
    return pages.flatMap((pattern, index): Finding[] => {
      if (names.some((name) => matchWildcards(name, pattern, '*'))) return []
      const near = suggest(pattern, names)
      const message = `Cannot find the schema \`${pattern}\` in any document`
      const hint = near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }
      return [{ code: 'unknown-schema', message, file, pointer: `${pointer}/${index}`, ...hint }]
    })
  }
  const { byDefault, byLabel } = config.schemas
  return [...find(byDefault, '/schemas'), ...byLabel.flatMap(({ value, pointer }) => find(value, pointer))]
}
