import type { FilesChanged } from '../status/types.ts'
import type { Remote } from './find-remote.ts'
import type { Git } from './git.ts'

/**
 * Which files differ between two commits, or why that cannot be told: `before` is fetched alone where the clone does not have it.
 *
 * A renamed file is one that was removed and one that was added.
 *
 * @param before 40 hexadecimal digits.
 * @param after a commit that the clone has.
 * @throws {GitError} when git cannot be started.
 */
export async function readFilesChanged(
  git: Git,
  remote: Remote,
  before: string,
  after: string,
): Promise<
  { readonly kind: 'read'; readonly filesChanged: FilesChanged } | { readonly kind: 'unknown'; readonly reason: string }
> {
  const known = await git.run(['cat-file', '-e', `${before}^{commit}`])
  if (known.code !== 0) {
    const shallow = await git.run(['rev-parse', '--is-shallow-repository'])
    // A clone with its whole history must not be cut by a fetch of one commit.
    const depth = shallow.stdout.trim() === 'true' ? ['--depth=1'] : []
    const fetched = await git.run(['fetch', '--no-tags', '--no-recurse-submodules', ...depth, remote.name, before], {
      environment: remote.environment,
    })
    if (fetched.code !== 0) return { kind: 'unknown', reason: `\`${before.slice(0, 7)}\` cannot be fetched` }
  }
  const diff = await git.run(['diff', '--name-status', '--no-renames', '--no-ext-diff', '-z', before, after, '--'])
  if (diff.code !== 0) return { kind: 'unknown', reason: `\`${before.slice(0, 7)}\` cannot be compared` }
  return { kind: 'read', filesChanged: parseNameStatus(diff.stdout) }
}

/** Source: git-diff, "Raw output format", `-z`: status and path, each with a NUL behind it. */
function parseNameStatus(text: string): FilesChanged {
  const changed = { added: [] as string[], modified: [] as string[], removed: [] as string[] }
  const fields = text.split('\0')
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [status, path] = [fields[index], fields[index + 1]]
    if (path === undefined) break
    // `T`: a file became a link, or the other way round.
    changed[status === 'A' ? 'added' : status === 'D' ? 'removed' : 'modified'].push(path)
  }
  for (const paths of [changed.added, changed.modified, changed.removed]) paths.sort()
  return changed
}
