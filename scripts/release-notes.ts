import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The section of CHANGELOG.md about a version.
 *
 * @param tag Such as `v1.2.3`.
 * @throws {Error} if there is none.
 */
export function readReleaseNotes(
  tag: string,
  { orUnreleased = false, path = join(import.meta.dirname, '../CHANGELOG.md') }: { orUnreleased?: boolean; path?: string } = {},
): string {
  const version = tag.replace(/^v/, '')
  const parts = readFileSync(path, 'utf8').split(/^## /m)
  const find = (title: string) => parts.find((part) => part.split(/\s/, 1)[0]?.replace(/^\[|\]$/g, '') === title)
  const section = find(version) ?? (orUnreleased ? find('Unreleased') : undefined)
  const notes = section?.slice(section.indexOf('\n')).trim()
  if (!notes) throw new Error(`CHANGELOG.md has no entry \`## ${version}\`. Add it there`)
  return notes
}
