import type { Comparison } from './types.ts'

/** `1.2.3` and `1.2`, with an optional `v`. Build metadata has no meaning for the order. */
const semanticVersion =
  /^(?<prefix>v?)(?<major>0|[1-9]\d{0,8})\.(?<minor>0|[1-9]\d{0,8})(?<patch>\.(?:0|[1-9]\d{0,8}))?(?<preRelease>-[\w.-]+)?(?:\+[\w.-]+)?$/

/** Larger major versions are years, as in `2026.1`. */
const maxMajor = 999

/**
 * Finds the `info.version` that the revision needs because of breaking changes: the next major version, or the next minor version under 0.x.
 *
 * Returns `undefined` without breaking changes, if the version of the revision is sufficient or older than the base, after a pre-release, and for
 * versions that are not semantic versions.
 *
 * @see Semantic Versioning 2.0.0, items 4, 8 and 9
 */
export function findNeededVersion({ base, revision, changes }: Pick<Comparison, 'base' | 'revision' | 'changes'>) {
  if (!changes.some(({ level }) => level === 'breaking')) return undefined
  const [before, after] = [parseVersion(base.version), parseVersion(revision.version)]
  if (!before || !after || before.isPreRelease || after.major !== before.major || after.minor < before.minor) return undefined
  const { prefix, major, minor, hasPatch } = after
  const end = hasPatch ? '.0' : ''
  if (major > 0) return { part: 'major', version: `${prefix}${major + 1}.0${end}` } as const
  return minor > before.minor ? undefined : ({ part: 'minor', version: `${prefix}0.${minor + 1}${end}` } as const)
}

function parseVersion(version: string) {
  const { prefix = '', major, minor, patch, preRelease } = semanticVersion.exec(version)?.groups ?? {}
  if (major === undefined || Number(major) > maxMajor) return undefined
  const isPreRelease = preRelease !== undefined
  return { prefix, major: Number(major), minor: Number(minor), hasPatch: patch !== undefined, isPreRelease }
}
