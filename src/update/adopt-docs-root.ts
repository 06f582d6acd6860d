import { type Adoption, planAdoption } from '../pages/adoption/plan-adoption.ts'
import { bindNavigation } from '../pages/bind-navigation.ts'
import { type DocsRoot, declareAll, emptyLock } from './read-docs-root.ts'
import { type Survey, surveyDocsRoot } from './survey-docs-root.ts'
import type { UpdateEnvironment, UpdateOptions } from './types.ts'

/** A docs root, and what of it was adopted. */
export interface AdoptedDocsRoot {
  /** With the lock file as it is to be. */
  readonly docsRoot: DocsRoot
  readonly survey: Survey
  readonly adoption: Adoption | undefined
}

/**
 * Takes over the pages of a docs root that are bound to something and that its lock file does not have. A damaged lock file counts as empty.
 *
 * Errors in a document do not matter as long as the operation of a page can be found in it.
 */
export async function adoptDocsRoot(
  docsRoot: DocsRoot,
  options: Pick<UpdateOptions, 'directory' | 'materialise'>,
  environment: UpdateEnvironment,
): Promise<AdoptedDocsRoot> {
  const before = docsRoot.lockFault === 'damaged' ? { ...docsRoot, lock: emptyLock } : docsRoot
  const divisions = declareAll(before, [], options)
  const survey = await surveyDocsRoot(before, divisions, [], environment, 'adoption')
  if (!before.lock || !before.docsConfig) return { docsRoot: before, survey, adoption: undefined }
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
  return { docsRoot: { ...before, lock: adoption.lock }, survey, adoption }
}

/** The docs root with a lock file that can be used: one that is damaged is made again from the pages that are there. */
export async function rebuildLock(docsRoot: DocsRoot, options: UpdateOptions, environment: UpdateEnvironment): Promise<DocsRoot> {
  if (docsRoot.lockFault !== 'damaged') return docsRoot
  return (await adoptDocsRoot(docsRoot, options, environment)).docsRoot
}
