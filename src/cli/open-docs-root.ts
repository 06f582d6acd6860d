import type { CliContext } from './cli-context.ts'
import type { CommonOptions } from './command-options.ts'
import { createProgress, type Progress } from './create-progress.ts'
import { findDocsRoot } from './find-docs-root.ts'
import { chooseBoundary, openWorkspace, type Workspace } from './open-workspace.ts'

/**
 * What a command that is about one docs root begins with. `verb` is what cannot be done to an argument that is none.
 *
 * @throws {ConfigError} for what is no folder, or is outside the boundary.
 */
export function openDocsRoot(
  argument: string,
  verb: string,
  options: Pick<CommonOptions, 'allowHttp' | 'boundary' | 'quiet'>,
  context: CliContext,
): { progress: Progress; workspace: Workspace; root: string } {
  const folder = findDocsRoot(argument, verb, context)
  const progress = createProgress(context.stderr, options.quiet)
  const workspace = openWorkspace(chooseBoundary(folder, options, context), options, context, progress)
  return { progress, workspace, root: workspace.toInside(folder) }
}
