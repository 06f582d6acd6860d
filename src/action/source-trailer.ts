import { countFindings } from '../diagnostic/diagnostic.ts'
import type { AddedFile } from '../git/commit.ts'
import type { Git } from '../git/git.ts'
import type { FileChange } from '../text/file-change.ts'
import { packageVersion } from '../update/package-version.ts'
import type { Update } from '../update/types.ts'
import type { AddedFiles } from './delivery/added-files.ts'
import { readSourceHash, sourceTrailer } from './delivery/source-hash.ts'
import type { Trailer } from './delivery/trailers.ts'
import type { ActionInputs } from './inputs.ts'

/** What makes pages beside the files of the repository: with another version or other inputs, the same documents are not the same. */
export function toSourceKey(roots: readonly string[], { documents, directory, addPaths }: ActionInputs): readonly string[] {
  return [packageVersion, ...roots, '', ...documents, '', directory, '', String(addPaths.documents), ...addPaths.patterns]
}

/** Makes the trailer of the commit of an update. */
export function createSourceTrailer(
  git: Git,
  key: readonly string[],
  { holdsDocuments }: Pick<AddedFiles, 'holdsDocuments'>,
): (update: Update, added: readonly AddedFile[]) => Promise<Trailer> {
  return async (update, added) => {
    const { errors, warnings } = countFindings(update.diagnostics)
    // A later run has to look again where this one has something to report, or read a document that the commit does not hold as it was
    // read: from a URL, git-ignored, or changed by a step. The hash is then one that no later run computes.
    const isFinal = errors + warnings === 0 && (await holdsDocuments(update, added))
    const contents = added.map(({ path, bytes }): FileChange => {
      if (bytes === undefined) return { kind: 'delete', path, before: '' }
      return { kind: 'add', path, content: Buffer.from(bytes).toString('utf8') }
    })
    return [sourceTrailer, await readSourceHash(git, isFinal ? key : [...key, 'again'], [...update.changes, ...contents])]
  }
}
