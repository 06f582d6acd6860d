import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import { pointerChild } from '../../text/json/json-values.ts'
import { countBy, formatNumber, groupBy, listFirst } from '../../text/plain/lists.ts'
import { baseName, createFileClaims, joinPath, matchWildcards, parentPath, toDiskKey } from '../../text/plain/paths.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { lockFileName } from '../config/config-files.ts'
import type { SchemaPages } from '../config/config-setting.ts'
import { settingOf } from '../config/project-config.ts'
import type { PageEntry } from '../navigation/docs-config.ts'
import { type NamedSiteFile, toFileConflict, toPathKey, toRoute } from '../pages/generated-page.ts'
import { canContainGroups } from '../pages/navigation-entries.ts'
import type { DeclaredDivision, PagePlan } from '../pages/subjects.ts'
import type { DocsDirectory } from '../read/read-docs-directory.ts'
import type { CheckedDocument, GitFacts } from '../types.ts'

/** What its checks know about a docs directory. */
type Known = DocsDirectory & { readonly documents: readonly CheckedDocument[] }

/** Reports problems with the divisions of a docs directory and their settings. */
export function checkDivisions(survey: Known, divisions: readonly DeclaredDivision[]): Finding[] {
  if (!survey.docsConfig) return []
  return [
    ...findUnusableKeys(survey),
    ...findUnknownLabels(survey),
    ...findIgnoredMaterialize(survey, divisions),
    ...findGoneDivisions(survey, divisions),
  ]
}

function findUnusableKeys({ docsConfig }: Known): Finding[] {
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
function findConfigFile({ sources, configPath }: Known): string | undefined {
  return sources.find(({ path }) => path === configPath)?.path
}

/** Reports `materialize: false` for divisions whose pages are already files: an update must not remove all of them. */
function findIgnoredMaterialize(survey: Known, divisions: readonly DeclaredDivision[]): Finding[] {
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

function findUnknownLabels(survey: Known): Finding[] {
  const { docsConfig, config } = survey
  const labels = (docsConfig?.divisions ?? []).map(({ label }) => label).filter((label) => label !== '')
  const ids = new Set(docsConfig?.divisions.map(({ id }) => id))
  const file = findConfigFile(survey)
  if (file === undefined) return []
  const { materialize, order, methodOrder, unlisted, schemas, overviews } = config
  const named = [materialize, order, methodOrder, unlisted, schemas, overviews].flatMap(({ byLabel }) =>
    byLabel.map(({ label, pointer }) => ({ label, pointer })),
  )
  return named.flatMap(({ label, pointer }) => {
    if (labels.includes(label) || ids.has(label)) return []
    const hint = didYouMean(suggest(label, labels))
    const message = `Cannot find the division \`${label}\` in \`docs.json\``
    return { code: 'unknown-division', message, file, pointer, on: 'key', hint } as const
  })
}

function findGoneDivisions({ lock, root }: Known, divisions: readonly DeclaredDivision[]): Finding[] {
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

/** Reports pages that are ignored by Git, one diagnostic per division. */
export async function checkIgnored(
  { root, docsConfig }: Known,
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
  const answer = await git.findIgnored([...paths, lockPath])
  if (answer.kind === 'unknown') return []
  const ignored = new Set(answer.value)
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
export function checkSchemaNames(survey: Known): Finding[] {
  const { config, documents } = survey
  const file = findConfigFile(survey)
  const named = documents.filter(({ isNamed }) => isNamed)
  if (file === undefined || named.some(({ index }) => index === undefined)) return []
  const names = [...new Set(named.flatMap(({ index }) => [...(index?.schemaNames ?? [])]))]
  const find = (pages: SchemaPages, pointer: string) => {
    if (typeof pages === 'boolean') return []
    return pages.flatMap((pattern, index): Finding[] => {
      if (names.some((name) => matchWildcards(name, pattern, '*'))) return []
      const hint = didYouMean(suggest(pattern, names))
      const message = `Cannot find the schema \`${pattern}\` in any document`
      return [{ code: 'unknown-schema', message, file, pointer: `${pointer}/${index}`, hint }]
    })
  }
  const { byDefault, byLabel } = config.schemas
  return [...find(byDefault, '/schemas'), ...byLabel.flatMap(({ value, pointer }) => find(value, pointer))]
}

/**
 * Up to this many missing pages of a list are reported separately. More usually have a common cause, such as a missing
 * translation.
 */
const maxSeparateReports = 3

/**
 * Reports navigation entries without a page, and suggests the nearest unlisted page. `pages` have no extension. `listed` are the
 * pages in the navigation.
 */
export function checkMissingEntries(
  missing: readonly PageEntry[],
  pages: ReadonlySet<string>,
  listed: ReadonlySet<string>,
  file: string,
): Finding[] {
  if (missing.length === 0) return []
  const free = [...pages].filter((path) => !listed.has(path))
  const byName = groupBy(free, (path) => toPathKey(baseName(path)))
  const byFolder = groupBy(free, parentPath)
  const findNear = (path: string): string | undefined => {
    const namesakes = byName.get(toPathKey(baseName(path))) ?? []
    const sameButCase = namesakes.find((page) => toPathKey(page) === toPathKey(path))
    const neighbor = suggest(baseName(path), (byFolder.get(parentPath(path)) ?? []).map(baseName))
    if (sameButCase !== undefined) return sameButCase
    if (neighbor !== undefined) return joinPath(parentPath(path), neighbor)
    // The name alone is not enough: many directories have an `overview`.
    const moved = namesakes.filter((page) => baseName(parentPath(page)) === baseName(parentPath(path)))
    return moved.length === 1 ? moved[0] : undefined
  }
  return [...groupBy(missing, ({ division }) => division).values()].flatMap((ofList): Finding[] => {
    const [first] = ofList
    if (first && ofList.length > maxSeparateReports) {
      const named = listFirst(ofList, maxSeparateReports, ({ path }) => `\`${path}\``)
      const message = `Cannot find ${ofList.length} pages that this list names: ${named}`
      return [{ code: 'page-missing', message, file, pointer: first.pointer, hint: 'Create the pages, or remove the entries' }]
    }
    return ofList.map(({ path, pointer }) => {
      // Path normalization removed one of the slashes of the URL.
      const address = /^(https?):\/+(.*)$/is.exec(path)
      if (address) {
        const message = `Unexpected URL \`${address[1]}://${address[2]}\`, expected a page path`
        const hint = 'Create a page with this `url` in its frontmatter, or use a tab or anchor with `href`'
        return { code: 'page-missing', message, file, pointer, hint }
      }
      const near = findNear(path)
      const hint = near === undefined ? 'Create the page, or remove the entry' : `Did you mean \`${near}\`?`
      return { code: 'page-missing', message: `Cannot find page \`${path}\``, file, pointer, hint }
    })
  })
}

/**
 * Reports a page that a division lists more than once, since the sidebar shows it twice. Listing a page in several divisions is
 * often intended.
 */
export function checkRepeatedEntries(entries: readonly PageEntry[], file: string): Finding[] {
  return [...groupBy(entries, ({ division, path }) => `${division}\n${path}`).values()].flatMap(([first, ...others]) =>
    others.map(({ path, pointer }): Finding => {
      const related = first ? [{ pointer: first.pointer, message: 'first listed here' }] : []
      const message = `Unexpected duplicate entry for page \`${path}\``
      return { code: 'page-listed-twice', message, file, pointer, related, hint: 'Remove one of them' }
    }),
  )
}

/** Maximum number of paths in the message. The other pages are counted. */
const maxNamedPaths = 5

/**
 * Reports pages missing from the navigation in a single diagnostic, since many sites omit pages on purpose. If there are many, their directories are named
 * with the number of pages. `unlisted` have their extension.
 */
export function checkUnlistedPages(unlisted: readonly string[], file: string): Finding[] {
  if (unlisted.length === 0) return []
  const hasMany = unlisted.length > maxNamedPaths
  const toPlace = (path: string) => (hasMany && path.includes('/') ? `${parentPath(path)}/` : path)
  const places = [...countBy(unlisted.toSorted(), toPlace)]
  const named = places
    .slice(0, maxNamedPaths)
    .map(([place, count]) => (count === 1 ? `\`${place}\`` : `\`${place}\` (${formatNumber(count)})`))
  const left = places.slice(maxNamedPaths).reduce((sum, [, count]) => sum + count, 0)
  const names = left === 0 ? named.join(', ') : `${named.join(', ')} and ${formatCount(left, 'other')}`
  const are = unlisted.length === 1 ? 'is' : 'are'
  return [
    {
      code: 'page-unlisted',
      message: `${formatCount(unlisted.length, 'page')} ${are} not in the navigation: ${names}`,
      file,
      pointer: '/navigation',
      on: 'key',
      hint: 'Add each page to the navigation, or set `hidden: true` on pages that should only be reachable by URL',
    },
  ]
}

/** Reports pages with the same URL, or with files that no directory of a site can contain together. `pages` have their extension. */
export function checkPageUrls(pages: readonly string[], toFile: (path: string) => string): Finding[] {
  return [...findSameUrls(pages, toFile), ...findFileConflicts(pages, toFile)]
}

/** They differ only in extension or case, so a host shows just one of them. */
function findSameUrls(pages: readonly string[], toFile: (path: string) => string): Finding[] {
  return [...groupBy(pages, toPathKey).values()].flatMap(([first = '', ...others]) =>
    others.map((path): Finding => {
      const message = `Unexpected page \`${path}\` with the same URL as \`${first}\``
      const related = [{ file: toFile(first), pointer: '', message: 'this page has the same URL' }]
      return {
        code: 'page-url-conflict',
        message,
        file: toFile(path),
        pointer: '',
        related,
        hint: 'Rename or remove one of them',
      }
    }),
  )
}

/** Files in the top directory of every site, or of those with some setting. */
const siteFiles = [
  '.nojekyll',
  '404.html',
  '404.json',
  '_headers',
  '_languages',
  '_redirects',
  'llms-full.txt',
  'llms.txt',
  'print.html',
  'robots.txt',
  'sitemap.xml',
]

function findFileConflicts(pages: readonly string[], toFile: (path: string) => string): Finding[] {
  const claims = createFileClaims<NamedSiteFile>()
  for (const path of siteFiles) claims.claim({ path })
  return pages.flatMap((page) => {
    const route = toRoute(page)
    const files = [joinPath(route, 'index.html'), `${route || 'index'}.md`].map((path) => ({ path, page }))
    return files.flatMap((file) => {
      const other = claims.claim(file)
      // A page with the URL of another one is reported as such.
      return !other || (other.page !== undefined && toDiskKey(toRoute(other.page)) === toDiskKey(route))
        ? []
        : [toFileConflict([file, other], toFile)]
    })
  })
}
