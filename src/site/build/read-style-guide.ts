import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { Config } from '../../docs-config/project-config.ts'
import type { SourceFile } from '../../source/source-file.ts'
import type { CheckedDocument } from '../../update/check-documents.ts'
import { addExamples, listRulesOfSite } from '../../update/list-rules.ts'
import type { UpdateEnvironment } from '../../update/types.ts'
import type { Messages } from '../messages/english.ts'
import { renderStyleGuide } from './render-style-guide.ts'

/** What the page with the rules of a site shows. */
export interface StyleGuide {
  /** Without rules, there is no such page. */
  readonly hasRules: boolean
  /** Renders the page as MDX. */
  readonly render: (messages: Messages) => string
  /** Problems that no check of a document reports. */
  readonly findings: readonly Finding[]
  /** The files of the rulesets. */
  readonly sources: ReadonlyMap<string, SourceFile>
  /** Moves a problem of the page, which has no file, to the ruleset. */
  readonly toPlace: (finding: Finding) => Finding
}

interface StyleGuideInput {
  readonly documents: readonly CheckedDocument[]
  readonly config: Pick<Config, 'rules' | 'rulesets' | 'limits'>
  readonly configPath: string
}

/** Reads the rules for the documents of a site, or without documents for those that its directory could have, for `site.styleGuide`. */
export async function readStyleGuide(
  root: string,
  { documents, config, configPath }: StyleGuideInput,
  environment: UpdateEnvironment,
): Promise<StyleGuide> {
  const paths = documents.map(({ path }) => path)
  const { rules, rulesets, findings, sources } = await listRulesOfSite(root, paths, environment, config)
  const file = rulesets.find((name) => sources.has(name))
  const unused: Finding = {
    code: 'setting-not-used',
    severity: 'warning',
    message: `Cannot show a style guide: ${rulesets.length === 0 ? 'there is no ruleset' : 'all rules of the ruleset are off'}`,
    file: configPath,
    pointer: '/site/styleGuide',
    hint: 'Add a `.spectral.yaml` with rules, or remove `site.styleGuide`',
  }
  // The checks of the documents report the others.
  const reported = documents.length === 0 ? findings : []
  const detailed = await addExamples(rules)
  return {
    hasRules: detailed.length > 0,
    render: (messages) => renderStyleGuide(detailed, messages),
    findings: rules.length === 0 && findings.length === 0 ? [...reported, unused] : reported,
    sources,
    toPlace: ({ offsets: _, ...finding }) => ({ ...finding, file: file ?? configPath, pointer: '' }),
  }
}
