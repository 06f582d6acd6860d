import type { FoundDocs } from '../../docs/read/find-docs.ts'
import type { CliContext } from '../base/cli-context.ts'
import { quoteForShell } from '../base/command-line.ts'
import type { CommonOptions } from '../base/command-options.ts'
import { createProgress } from '../print/terminal.ts'
import { chooseBoundary, openWorkspace, type Workspace } from './workspace.ts'

interface SearchedDirectory extends FoundDocs {
  /** The paths are relative to its boundary. */
  readonly workspace: Workspace
}

/** Finds the docs directories and documents of the directory that an argument of a command names. */
export async function searchDirectory(
  argument: string,
  options: Pick<CommonOptions, 'boundary'> & { readonly quiet?: boolean },
  context: CliContext,
): Promise<SearchedDirectory> {
  const progress = createProgress(context.stderr, options.quiet ?? false)
  const workspace = openWorkspace(chooseBoundary(argument, options, context), { allowHttp: false }, context, progress)
  // Commands that name a document start faster without it.
  const { findDocs } = await import('../../docs/read/find-docs.ts')
  progress.step(`looking for OpenAPI documents in ${argument}`)
  const found = await findDocs(workspace.toInside(argument), workspace.environment)
  progress.clear()
  return { workspace, ...found }
}

/** What to do about Swagger 2.0 documents, if there are any. Paths are relative to the working directory. */
export function describeConversion([path]: readonly string[]): string | undefined {
  if (path === undefined) return undefined
  return `To convert ${path} from Swagger 2.0, run \`npx swagger2openapi ${quoteForShell(path)} --outfile openapi.yaml\``
}
