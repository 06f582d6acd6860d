import { existsSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { error, info, notice, warning } from '@actions/core'
import type { Diagnostic, Severity } from '../diagnostic/diagnostic.ts'
import { formatCount, formatNumber, renameFiles } from '../diagnostic/diagnostic.ts'
import { toAnnotation } from '../diagnostic/format-github.ts'
import { isUrl } from '../text/relative-path.ts'
import { chooseAnnotations } from './choose-annotations.ts'

/**
 * Shows as many findings as GitHub does as annotations at their lines, the most severe ones and spread over the files, and says in the log
 * how many these are.
 *
 * @param place the folder that files of diagnostics are relative to, and the workspace, which runners take them to be relative to.
 * @param used annotations of each level that the step has already.
 */
export function annotate(
  diagnostics: readonly Diagnostic[],
  place: { readonly boundary: string; readonly workspace: string },
  used: { readonly [severity in Severity]: number },
): void {
  const shown = chooseAnnotations(diagnostics, used)
  const prefix = relative(resolve(place.workspace), place.boundary).split(sep).join('/')
  const named = prefix === '' ? shown : renameFiles(shown, (file) => (isUrl(file) ? file : `${prefix}/${file}`))
  const commands = { error, warning, notice }
  for (const diagnostic of named) {
    const { level, message, title, place: at } = toAnnotation(diagnostic)
    // An annotation at a file that does not exist leads people to a page that GitHub cannot show.
    commands[level](message, { title, ...(at && existsSync(join(place.workspace, diagnostic.file)) ? at : {}) })
  }
  if (shown.length < diagnostics.length) {
    info(
      `Annotations: showing ${formatNumber(shown.length)} of ${formatCount(diagnostics.length, 'finding')}; the group above lists all of them`,
    )
  }
}
