import { countFindings } from '../diagnostic/count-findings.ts'
import type { Git } from '../git/git.ts'
import { isUrl } from '../text/relative-path.ts'
import { packageVersion } from '../update/package-version.ts'
import type { Update } from '../update/types.ts'
import { readSourceHash, sourceTrailer } from './delivery/source-hash.ts'
import type { Trailer } from './delivery/trailers.ts'
import type { ActionInputs } from './inputs.ts'

/** What makes pages beside the files of the repository: with another version or other inputs, the same documents are not the same. */
export function toSourceKey(roots: readonly string[], { documents, directory }: ActionInputs): readonly string[] {
  return [packageVersion, ...roots, '', ...documents, '', directory]
}

/** Makes the trailer of the commit of an update. */
export function createSourceTrailer(git: Git, key: readonly string[]): (update: Update) => Promise<Trailer> {
  return async ({ changes, diagnostics, documents }) => {
    const { errors, warnings } = countFindings(diagnostics)
    // A run that has something to say, or asks the network, has to be done again: its hash is none that a later run comes to.
    const isFinal = errors + warnings === 0 && documents.every(({ path }) => !isUrl(path))
    return [sourceTrailer, await readSourceHash(git, isFinal ? key : [...key, 'again'], changes)]
  }
}
