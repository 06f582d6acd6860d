import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Palette } from '../../diagnostics/format-text.ts'
import { escapeText } from '../../source/escape-text.ts'
import { quoteForShell } from '../documents/find-documents.ts'
import type { Workspace } from '../workspace.ts'
import { formatNext } from './describe-setup.ts'
import type { ImportPlan } from './import-plan.ts'
import type { PlannedFile } from './setup-plan.ts'

/** What is carried over, and what is not. */
export function describeImport({ carriedCount, leftOut }: ImportPlan, from: string, palette: Palette): string {
  const counts = leftOut.length === 0 ? '' : `, ${formatCount(leftOut.length, 'part')} not`
  const heading =
    carriedCount === 0
      ? palette.warning(`! Nothing in ${from} can be carried over\n`)
      : `${palette.strong(from)}   ${formatCount(carriedCount, 'setting')} carried over${counts}\n`
  if (leftOut.length === 0) return `${heading}\n`
  const lines = leftOut.map((entry) => `  ${escapeText(entry)}\n`).join('')
  return `${heading}\n${palette.strong('Not carried over')}\n${lines}\n`
}

/** The content of a file that `--dry-run` does not write. */
export function describeContent({ path, content }: PlannedFile, { toShown }: Workspace, palette: Palette): string {
  const lines = content.trimEnd().split('\n')
  return `${palette.strong(escapeText(toShown(path)))}\n${lines.map((line) => `  ${escapeText(line)}`.trimEnd()).join('\n')}\n\n`
}

/** The next commands. */
export function describeImportNext(
  files: readonly PlannedFile[],
  program: string,
  { toShown }: Workspace,
  palette: Palette,
): string {
  const added = files.map(({ path }) => quoteForShell(toShown(path))).join(' ')
  const commands = [
    [`${program} check .`, 'Check the documents with these rules'],
    [`git add ${added} && git commit -m 'Add rules for the API'`, 'Commit the rules'],
    [`${program} init`, 'Set up checks of pull requests, and a site'],
  ] as const
  return formatNext(commands, palette)
}
