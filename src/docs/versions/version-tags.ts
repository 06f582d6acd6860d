/** A tag of a commit. */
export interface TaggedCommit {
  /** The name of the tag, such as `v2.4.0`. */
  readonly tag: string
  readonly sha: string
  /** ISO 8601 in UTC: of the tag if it has a date, else of the commit. */
  readonly date: string
}

/** A commit with the documents of a version. */
export interface VersionCommit {
  readonly sha: string
  /** The part of the tag that `*` matches in the pattern. Without a tag, `info.version` or the date names the changelog entry. */
  readonly name: string | undefined
  /** ISO 8601 in UTC. */
  readonly date: string
}

/**
 * Selects the tags that match a pattern with one `*`, such as `v*`, with the highest version first. By default, tags such as `1.0` and
 * `v1.0` match. The part that `*` matches must start with a number. Pre-releases of a version that is released are left out.
 */
export function selectVersionTags(tags: readonly TaggedCommit[], pattern: string | undefined): VersionCommit[] {
  const versions = tags.flatMap(({ tag, sha, date }) => {
    const name = matchTag(tag, pattern)
    return name === undefined ? [] : [{ tag, parsed: parseVersion(name), version: { sha, name, date } }]
  })
  const released = new Set(versions.flatMap(({ parsed }) => (parsed.prerelease === undefined ? [parsed.release] : [])))
  return versions
    .filter(({ parsed }) => parsed.prerelease === undefined || !released.has(parsed.release))
    .sort((a, b) => compareVersions(b.parsed, a.parsed) || (a.tag < b.tag ? -1 : 1))
    .map(({ version }) => version)
}

/** The version in the name of a tag. */
function matchTag(tag: string, pattern: string | undefined): string | undefined {
  const star = pattern?.indexOf('*') ?? 0
  const [start, end] = [pattern?.slice(0, star) ?? '', pattern?.slice(star + 1) ?? '']
  if (tag.length < start.length + end.length || !tag.startsWith(start) || !tag.endsWith(end)) return undefined
  const version = tag.slice(start.length, tag.length - end.length)
  const [, name] = (pattern === undefined ? /^v?(\d[\w.+-]*)$/ : /^(\d[\w.+-]*)$/).exec(version) ?? []
  return name
}

interface Version {
  readonly name: string
  /** The numbers before any pre-release and build, or a date. */
  readonly release: string
  readonly prerelease: string | undefined
}

function parseVersion(name: string): Version {
  const date = /^\d{4}-\d{2}-\d{2}/.exec(name)?.[0]
  if (date !== undefined) return { name, release: date, prerelease: undefined }
  const [release = name] = name.split(/[+-]/, 1)
  const prerelease = /^[\d.]+-/.test(name) ? name.slice(release.length + 1) : undefined
  return { name, release, prerelease }
}

/** Positive if `a` is the newer version. */
function compareVersions(a: Version, b: Version): number {
  const byRelease = compareParts(a.release, b.release)
  if (byRelease !== 0) return byRelease
  // A pre-release is older than its release.
  const byKind = Number(a.prerelease === undefined) - Number(b.prerelease === undefined)
  return byKind || compareParts(a.prerelease ?? '', b.prerelease ?? '') || compareParts(a.name, b.name)
}

/** Compares texts part by part: numbers by value, other parts by their characters. */
function compareParts(a: string, b: string): number {
  const [left, right] = [toParts(a), toParts(b)]
  for (let index = 0; index < left.length && index < right.length; index++) {
    const [one, other] = [left[index] ?? '', right[index] ?? '']
    if (one !== other) return one < other ? -1 : 1
  }
  return left.length - right.length
}

function toParts(text: string): (bigint | string)[] {
  return (text.match(/\d+|[^\d.]+/g) ?? []).map((part) => (/^\d/.test(part) ? BigInt(part) : part))
}
