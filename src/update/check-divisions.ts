import type { Finding } from '../diagnostics/diagnostic.ts'
import { lockFileName } from '../docs-config/lock-file.ts'
import { configFileNames, type SchemaPages, settingOf } from '../docs-config/project-config.ts'
import { findOverlays, hasPlaceForGroups } from '../pages/declare-divisions.ts'
import type { DeclaredDivision, PagePlan, ReplacementOf } from '../pages/types.ts'
import { fitsName } from '../pages/wanted-subjects.ts'
import { groupBy } from '../source/group-by.ts'
import { parentPointer, pointerChild } from '../source/json-pointer.ts'
import { joinPath } from '../source/relative-path.ts'
import { suggest } from '../source/suggest.ts'
import type { Survey } from './survey-docs-directory.ts'
import type { UpdateEnvironment } from './types.ts'

/** Reports what the divisions of a docs directory and the settings for them leave unsaid or undone. */
export function checkDivisions(survey: Survey, divisions: readonly DeclaredDivision[], replacementOf: ReplacementOf): Finding[] {
  if (!survey.docsConfig) return []
  return [
    ...findUnusableKeys(survey),
    ...findOverlaidDivisions(survey),
    ...findUnknownLabels(survey),
    ...findGoneDivisions(survey, divisions),
    ...findUnlisted(survey, divisions, replacementOf),
    ...findUnwritten(survey, divisions),
  ]
}

function findUnusableKeys({ docsConfig }: Survey): Finding[] {
  const without = (docsConfig?.divisions ?? []).filter((division) => division.sources.length > 0 && !hasPlaceForGroups(division))
  return without.map(({ pointer }) => ({
    code: 'navigation-openapi',
    message: 'Unexpected `openapi` on `navigation` beside other divisions: its pages could not be listed anywhere',
    file: docsConfig?.source.path ?? '',
    pointer: `${pointer}/openapi`,
    on: 'key',
    hint: 'move it to the tab, or other division, that is to list the pages',
  }))
}

function findOverlaidDivisions({ docsConfig, config }: Survey): Finding[] {
  const materialised = (docsConfig?.divisions ?? []).filter((division) => settingOf(config.materialise, division))
  return materialised.flatMap(findOverlays).map(({ source, pointer }) => ({
    code: 'overlays-not-applied',
    message: `Cannot apply the \`overlays\` of \`${source}\`: the pages of its division are left to the host`,
    file: docsConfig?.source.path ?? '',
    pointer: `${parentPointer(pointer)}/overlays`,
    on: 'key',
    hint: 'apply them to the document, or remove `overlays`, to have the pages written',
  }))
}

function findUnknownLabels({ docsConfig, config, sources, root }: Survey): Finding[] {
  const labels = (docsConfig?.divisions ?? []).map(({ label }) => label).filter((label) => label !== '')
  const ids = new Set(docsConfig?.divisions.map(({ id }) => id))
  const file = sources.find(({ path }) => configFileNames.some((name) => path === joinPath(root, name)))?.path
  if (file === undefined) return []
  const { materialise, order, unlisted, schemas, overviews } = config
  const named = [materialise, order, unlisted, schemas, overviews].flatMap(({ byLabel }) =>
    byLabel.map(({ label, pointer }) => ({ label, pointer })),
  )
  return named.flatMap(({ label, pointer }) => {
    if (labels.includes(label) || ids.has(label)) return []
    const near = suggest(label, labels)
    const message = `Unexpected division \`${label}\`, \`docs.json\` has none of this name`
    const hint = near === undefined ? {} : { hint: `did you mean \`${near}\`?` }
    return { code: 'unknown-division', message, file, pointer, on: 'key', ...hint } as const
  })
}

function findGoneDivisions({ lock, root }: Survey, divisions: readonly DeclaredDivision[]): Finding[] {
  const known = new Set(divisions.map(({ id, lockedId }) => lockedId ?? id))
  return (lock?.divisions ?? []).flatMap(({ id }) => {
    const count = known.has(id) ? 0 : (lock?.pages ?? []).filter(({ division }) => division === id).length
    if (count === 0) return []
    return {
      code: 'division-gone',
      message: `Cannot find the division \`${id}\` of ${count} generated pages; they stay as they are`,
      file: joinPath(root, lockFileName),
      pointer: pointerChild('/divisions', id),
      on: 'key',
      hint: 'put `openapi` on the division that is to list them, or delete the pages and this line',
    } as const
  })
}

function findUnlisted(
  { docsConfig, documents, config }: Survey,
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
          hint: `add the entry \`${target}\`, or set \`unlisted\` to \`add\` or \`ignore\` in \`${configFileNames[0]}\``,
        }),
      )
    })
  })
}

/** One finding for all operations of a document that have no page in an adopted division: there can be hundreds, and nothing is wrong with them. */
function findUnwritten({ docsConfig, lock, config }: Survey, divisions: readonly DeclaredDivision[]): Finding[] {
  return divisions.flatMap((division) => {
    const { id, lockedId, label, pointer } = division
    const own = (lock?.unwritten ?? []).filter((entry) => entry.division === (lockedId ?? id))
    if (pointer === undefined || settingOf(config.unlisted, division) !== 'report') return []
    return [...groupBy(own, ({ document }) => document)].map(([document, entries]): Finding => {
      const names = entries.slice(0, 3).map(({ operation }) => `\`${operation}\``)
      const more = entries.length > names.length ? ` and ${entries.length - names.length} more` : ''
      const place = label === '' ? 'the navigation' : `\`${label}\``
      const them = entries.length === 1 ? 'it' : 'them'
      return {
        code: 'unlisted-operation',
        message: `${names.join(', ')}${more} of \`${document}\` ${entries.length === 1 ? 'has' : 'have'} no page in ${place}`,
        file: docsConfig?.source.path ?? '',
        pointer,
        hint: `set \`unlisted\` to \`add\` in \`${configFileNames[0]}\` to have ${them} written, or to \`ignore\``,
      }
    })
  })
}

/** Reports pages that git would not commit, one finding for each division. */
export async function checkIgnored(
  { root, docsConfig }: Survey,
  divisions: readonly DeclaredDivision[],
  plan: PagePlan,
  { findIgnored }: UpdateEnvironment,
): Promise<Finding[]> {
  const planned = plan.divisions.map(({ id, groups }) => {
    const pages = groups.flatMap((group) => group.pages).filter(({ kind }) => kind === 'generated')
    return { id, paths: pages.map(({ path }) => joinPath(root, path)) }
  })
  const paths = planned.flatMap((division) => division.paths)
  if (!findIgnored || paths.length === 0) return []
  const lockPath = joinPath(root, lockFileName)
  const ignored = new Set(await findIgnored([...paths, lockPath]))
  const findings = planned.flatMap(({ id, paths: own }): Finding[] => {
    const hits = own.filter((path) => ignored.has(path))
    const first = hits[0]
    if (first === undefined) return []
    const pointer = divisions.find((division) => division.id === id)?.pointer
    const place = docsConfig && pointer !== undefined ? { file: docsConfig.source.path, pointer } : { file: first, pointer: '' }
    const message = `Git ignores ${hits.length} of ${own.length} pages, the first is \`${first}\`: they would not be committed`
    return [
      { code: 'page-ignored', message, ...place, hint: `take its folder out of \`.gitignore\`, or name another \`directory\`` },
    ]
  })
  if (ignored.has(lockPath)) {
    const message = `Git ignores \`${lockPath}\`: without it every run would take its own pages for somebody else's`
    findings.push({ code: 'page-ignored', message, file: lockPath, pointer: '', hint: 'take it out of `.gitignore`' })
  }
  return findings
}

/** Reports the names in `schemas` of the configuration file that no schema has. Cannot be told while a document has faults. */
export function checkSchemaNames({ config, sources, documents, root }: Survey): Finding[] {
  const file = sources.find(({ path }) => configFileNames.some((name) => path === joinPath(root, name)))?.path
  const named = documents.filter(({ isNamed }) => isNamed)
  if (file === undefined || named.some(({ index }) => index === undefined)) return []
  const names = [...new Set(named.flatMap(({ index }) => [...(index?.schemaNames ?? [])]))]
  const find = (pages: SchemaPages, pointer: string) => {
    if (typeof pages === 'boolean') return []
    return pages.flatMap((pattern, index): Finding[] => {
      if (names.some((name) => fitsName(name, pattern))) return []
      const near = suggest(pattern, names)
      const message = `Unexpected schema \`${pattern}\`, no document has one of this name`
      const hint = near === undefined ? {} : { hint: `did you mean \`${near}\`?` }
      return [{ code: 'unknown-schema', message, file, pointer: `${pointer}/${index}`, ...hint }]
    })
  }
  const { byDefault, byLabel } = config.schemas
  return [...find(byDefault, '/schemas'), ...byLabel.flatMap(({ value, pointer }) => find(value, pointer))]
}
