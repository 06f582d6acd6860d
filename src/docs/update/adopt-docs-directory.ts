import { planAdoption } from '../adopt/plan-adoption.ts'
import { surveyDocsDirectory } from '../check/survey-docs-directory.ts'
import { bindNavigation } from '../pages/navigation-entries.ts'
import { type DocsDirectory, emptyLock, listDeclaredDivisions } from '../read/read-docs-directory.ts'
import type { CheckTerms, DocsAccess, OnProgress, UpdateOptions } from '../types.ts'

/**
 * Adopts the bound pages of a docs directory that its lock file does not list. Treats a damaged lock file as empty, and returns the new one.
 *
 * A document may have errors as long as the operation of a page can be found in it.
 */
export async function adoptDocsDirectory(
  docsDirectory: DocsDirectory,
  options: Pick<UpdateOptions, 'directory' | 'materialize'>,
  access: DocsAccess,
  terms: CheckTerms,
  onProgress: OnProgress | undefined,
) {
  const before = docsDirectory.lockFault === 'damaged' ? { ...docsDirectory, lock: emptyLock } : docsDirectory
  const divisions = listDeclaredDivisions(before, [], options)
  const survey = await surveyDocsDirectory(before, { divisions, extra: [], pagesFor: 'adoption', onProgress }, access, terms)
  if (!before.lock || !before.docsConfig) return { docsDirectory: before, survey, adoption: undefined }
  const adoption = planAdoption({
    docsConfig: before.docsConfig,
    divisions,
    lock: before.lock,
    descriptions: new Map(survey.documents.flatMap(({ source, index }) => (index ? [[source, index] as const] : []))),
    boundPages: survey.boundPages,
    order: before.config.order,
    textOf: (path) => survey.docsFiles.pages.get(path),
    replacementOf: bindNavigation(before.docsConfig, divisions, survey.documents, survey.boundPages).replacementOf,
  })
  return { docsDirectory: { ...before, lock: adoption.lock }, survey, adoption }
}
