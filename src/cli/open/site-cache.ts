import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { type ChangelogCache, openChangelogSteps } from '../../docs/versions/changelogs.ts'
import { joinOwned, type OwnPath, toOwnPath } from '../../files/boundary.ts'
import { disk, replaceFile } from '../../files/disk-writes.ts'
import { emptyMemory, formatRenderMemory, parseRenderMemory, type RenderMemory } from '../../site/make/render-memory.ts'
import type { CliContext } from '../base/cli-context.ts'
import { type FoundLinks, parseFoundLinks } from './check-external-links.ts'

/**
 * Opens the render cache of an output folder (absolute). It is stored in the user's cache folder because the output is published.
 * Errors are ignored: without a cache the build only takes longer.
 *
 * @param stamp identifies the program.
 */
export function openSiteCache(output: string, stamp: string, context: Pick<CliContext, 'env'>) {
  const file = openCacheFile(output, context)
  return {
    read: () => file.read((text) => parseRenderMemory(text, stamp)) ?? emptyMemory,
    write: (memory: RenderMemory) => file.write(() => formatRenderMemory(memory, stamp)),
  }
}

/**
 * Opens the cache of the changelogs of a repository (absolute). `save` saves the comparisons that were used.
 *
 * @param stamp identifies the program. Without it, nothing is read or saved.
 */
export function openChangelogCache(
  repository: string,
  stamp: string | undefined,
  context: Pick<CliContext, 'env'>,
): ChangelogCache & { save(): void } {
  const file = openCacheFile(`changelogs of ${repository}`, context)
  const saved = stamp === undefined ? undefined : file.read((text) => text)
  const cache = openChangelogSteps(saved ?? '', stamp ?? '')
  return {
    ...cache,
    save() {
      if (stamp !== undefined) file.write(cache.format)
    },
  }
}

/** Opens the cache of the external links that were found. All repositories share it. */
export function openLinkCache(context: Pick<CliContext, 'env'>) {
  const file = openCacheFile('external links', context)
  return {
    read: () => file.read(parseFoundLinks) ?? {},
    write: (found: FoundLinks) => file.write(() => JSON.stringify(found)),
  }
}

/**
 * The user's cache folder of this program, which may not exist. A relative path in the environment would be one inside a repository.
 *
 * Source: https://specifications.freedesktop.org/basedir-spec/latest/, which says to ignore relative paths.
 */
export function findCacheFolder({ env }: Pick<CliContext, 'env'>): OwnPath {
  const { XDG_CACHE_HOME: cache = '', HOME: home = '' } = env
  return toOwnPath(join(isAbsolute(cache) ? cache : join(isAbsolute(home) ? home : homedir(), '.cache'), 'openapi-pages'))
}

/** A file in the user's cache folder. Its name is a hash of `subject`. */
function openCacheFile(subject: string, context: Pick<CliContext, 'env'>) {
  const folder = findCacheFolder(context)
  const path = joinOwned(folder, `${createHash('sha256').update(subject).digest('hex').slice(0, 32)}.json`)
  return {
    /** Returns `undefined` if there is no usable file. */
    read<Value>(parse: (text: string) => Value): Value | undefined {
      try {
        return isOwnedByUser(path) ? parse(readFileSync(path, 'utf8')) : undefined
      } catch {
        return undefined
      }
    },
    write(format: () => string): void {
      try {
        const text = format()
        // Do not touch an unchanged cache.
        if (isOwnedByUser(path) && readFileSync(path, 'utf8') === text) return
        disk.mkdirSync(folder, { recursive: true, mode: 0o700 })
        replaceFile(path, text, { mode: 0o600 })
        removeOldEntries(folder)
      } catch {
        // See above.
      }
    },
  }
}

/** Older entries most likely belong to deleted output folders. */
const maxAgeMs = 90 * 24 * 60 * 60 * 1000

/** Removes entries that were not written for a long time. */
function removeOldEntries(folder: OwnPath): void {
  for (const name of readdirSync(folder)) {
    const path = joinOwned(folder, name)
    if (/^[0-9a-f]{32}\.json$/.test(name) && isOwnedByUser(path) && Date.now() - lstatSync(path).mtimeMs > maxAgeMs)
      disk.rmSync(path)
  }
}

/** Whether only the current user can have written the file. */
function isOwnedByUser(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return (
    stats?.isFile() === true && (process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0))
  )
}
