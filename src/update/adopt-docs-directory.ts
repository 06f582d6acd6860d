import { type Adoption, planAdoption } from '../pages/adoption/plan-adoption.ts'
import { bindNavigation } from '../pages/bind-navigation.ts'
import { type DocsDirectory, emptyLock, listDeclaredDivisions } from './read-docs-directory.ts'
import { type Survey, surveyDocsDirectory } from './survey-docs-directory.ts'
import type { UpdateEnvironment, UpdateOptions } from './types.ts'

/** A docs directory, and what of it was adopted. */
export interface AdoptedDocsDirectory {
  /** With the lock file as it is to be. */
  readonly docsDirectory: DocsDirectory
  readonly survey: Survey
  readonly adoption: Adoption | undefined
}

/**
 * Takes over the pages of a docs directory that are bound to something and that its lock file does not have. A damaged lock file counts as empty.
 *
 * Errors in a document do not matter as long as the operation of a page can be found in it.
 */
export async function adoptDocsDirectory(
  docsDirectory: DocsDirectory,
  options: Pick<UpdateOptions, 'directory' | 'materialise'>,
  environment: UpdateEnvironment,
): Promise<AdoptedDocsDirectory> {
  const before = docsDirectory.lockFault === 'damaged' ? { ...docsDirectory, lock: emptyLock } : docsDirectory
  const divisions = listDeclaredDivisions(before, [], options)
  const survey = await surveyDocsDirectory(before, divisions, [], environment, 'adoption')
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

/** The docs directory with a lock file that can be used: one that is damaged is made again from the pages that are there. */
export async function rebuildLock(
  docsDirectory: DocsDirectory,
  options: UpdateOptions,
  environment: UpdateEnvironment,
): Promise<DocsDirectory> {
  if (docsDirectory.lockFault !== 'damaged') return docsDirectory
  return (await adoptDocsDirectory(docsDirectory, options, environment)).docsDirectory
}
