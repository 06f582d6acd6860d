/** Where an entry of an archive belongs, or why it is refused. */
export type ArchivePath =
  | { readonly kind: 'path'; readonly path: string }
  /** The folder that GitHub puts around everything. */
  | { readonly kind: 'top' }
  | { readonly kind: 'refused'; readonly reason: string }

/** The longest path that every system takes, in UTF-8 bytes. */
const pathLimitBytes = 4_096
const nameLimitBytes = 255

/**
 * Takes the outer folder off the name of an entry and refuses every name that could lead anywhere else.
 *
 * A name that git itself would not check out is refused even where this system could write it.
 */
export function toArchivePath(name: string): ArchivePath {
  const refuse = (reason: string): ArchivePath => ({ kind: 'refused', reason })
  if (/[\u0000-\u001F\u007F]/.test(name)) return refuse('its name has a control character')
  if (name.includes('\uFFFD')) return refuse('its name is not UTF-8')
  if (name.startsWith('/')) return refuse('its path is absolute')
  if (Buffer.byteLength(name) > pathLimitBytes) return refuse('its path is too long')
  const [, ...steps] = name.replace(/(?<!\/)\/+$/, '').split('/')
  if (steps.length === 0) return name.includes('..') ? refuse('its path leads out of the archive') : { kind: 'top' }
  if (name.startsWith('../') || steps.includes('..')) return refuse('its path leads out of the archive')
  if (steps.some((step) => step === '' || step === '.')) return refuse('its path has an empty step')
  if (steps.some((step) => step.includes('\\'))) return refuse('its name has a backslash')
  if (/^[a-z]:/i.test(steps[0] ?? '')) return refuse('its path names a drive')
  if (steps.some(isGitFolder)) return refuse('its path goes through `.git`')
  if (steps.some((step) => Buffer.byteLength(step) > nameLimitBytes)) return refuse('its name is too long')
  return { kind: 'path', path: steps.join('/') }
}

/** Two paths with the same form are one file on a system that does not tell cases or ways of writing an accent apart. */
export function toCollisionForm(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** `.git` in every spelling that some file system takes for it: other cases, trailing dots, short names, invisible letters. */
function isGitFolder(step: string): boolean {
  const plain = step
    .replaceAll(/[\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g, '')
    .replace(/(?<![. ])[. ]+$/, '')
    .toLowerCase()
  return plain === '.git' || /^git~\d+$/.test(plain) || plain.startsWith('.git:')
}
