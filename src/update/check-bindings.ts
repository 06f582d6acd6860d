import type { Finding, Severity } from '../diagnostic/diagnostic.ts'
import { checkPageBindings } from '../pages/page-bindings.ts'
import { joinPath } from '../text/relative-path.ts'
import type { Survey } from './survey-docs-root.ts'

/**
 * Checks the bindings of all pages but those of ours that nobody has touched. `settled` has pages whose binding an update changes or
 * takes away; nothing is said about them.
 */
export function checkBindings(survey: Survey, severity: Severity, settled: ReadonlySet<string>): Finding[] {
  const operationIds = new Map((survey.lock?.pages ?? []).map(({ path, operationId }) => [path, operationId]))
  const pages = [...survey.readings].flatMap(([path, reading]) => {
    if (settled.has(path)) return []
    const file = joinPath(survey.root, path)
    return { file, path, text: survey.docsFiles.pages.get(path) ?? '', reading, operationId: operationIds.get(path) }
  })
  return checkPageBindings(pages, survey.bindableDocuments, severity)
}
