import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { finishDiagnostics } from '../diagnostic/finish-diagnostics.ts'
import { renderSitePage } from '../site/render-site-page.tsx'
import type { SiteFile } from '../site/types.ts'
import { toSourceFile } from '../text/source-file.ts'
import type { UpdateEnvironment } from '../update/types.ts'
import { type ReadSiteOptions, readSite } from './read-site.ts'

export interface BuiltSite {
  readonly diagnostics: readonly Diagnostic[]
  readonly pageCount: number
}

/** Builds a whole site, file by file as they are made: `emit` is told each. None where there is no `docs.json` that can be read. */
export async function buildSite(
  options: ReadSiteOptions,
  environment: UpdateEnvironment,
  emit: (file: SiteFile) => void,
): Promise<BuiltSite> {
  const { source, diagnostics } = await readSite(options, environment)
  if (!source) return { diagnostics, pageCount: 0 }
  const { plan } = source.context
  const findings = []
  for (const [index, page] of plan.pages.entries()) {
    if (index % 50 === 0) environment.onProgress?.(`rendering page ${index + 1} of ${plan.pages.length}`)
    const rendered = renderSitePage(page, source)
    findings.push(...rendered.findings)
    emit({ path: page.route === '' ? 'index.html' : `${page.route}/index.html`, content: rendered.html })
    for (const file of rendered.files) emit(file)
  }
  for (const file of source.downloads.values()) emit(file)
  const prefix = source.root === '' ? '' : `${source.root}/`
  const found = await finishDiagnostics(findings, (file) => {
    const text = source.textOf(file.slice(prefix.length))
    return text === undefined ? undefined : toSourceFile(file, new TextEncoder().encode(text))
  })
  return { diagnostics: [...diagnostics, ...found], pageCount: plan.pages.length }
}
