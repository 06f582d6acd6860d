'use strict'
// Lets Node keep what V8 compiled between runs: a check of a small document takes two thirds of the time.
//
// Node runs whatever code it finds in that folder. It is used only where nobody but this user and root can have put anything into it or
// exchange it. Where the check fails there is no cache.
const { lstatSync, mkdirSync, realpathSync } = process.getBuiltinModule('node:fs')
const { enableCompileCache, getCompileCacheDir } = process.getBuiltinModule('node:module')
const { dirname, isAbsolute, join } = process.getBuiltinModule('node:path')

/** Keeps compiled code in `name` below `parent`, and makes the folder where it is missing. */
exports.useCompileCache = (parent, name) => {
  // Both settings are Node's own: with the second it has begun to use the folder that a person named before this line runs.
  if (process.env.NODE_DISABLE_COMPILE_CACHE || getCompileCacheDir() !== undefined || parent === undefined) return
  const folder = exports.openPrivateFolder(parent, name, process.geteuid?.())
  if (folder !== undefined) enableCompileCache(folder)
}

/**
 * This program's folder among the caches of the user, by the conventions of the system; undefined where there is none.
 *
 * Source: https://specifications.freedesktop.org/basedir-spec/latest/ for Linux, which says to ignore relative paths.
 */
exports.findUserCache = (env = process.env, platform = process.platform) => {
  const toCache = (folder, ...names) => (folder && isAbsolute(folder) ? join(folder, ...names, 'openapi-pages') : undefined)
  if (platform === 'win32') return toCache(env.LOCALAPPDATA)
  if (platform === 'darwin') return toCache(env.HOME, 'Library/Caches')
  return toCache(env.XDG_CACHE_HOME) ?? toCache(env.HOME, '.cache')
}

/**
 * The real path of the folder `name` below `parent`, made where it is missing, for its owner only; undefined where others than the user
 * `uid` and root could write to it.
 *
 * @param uid Undefined on Windows, where folders below a profile are the user's by their access lists.
 */
exports.openPrivateFolder = (parent, name, uid) => {
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 })
    // Links on the way are followed once; from here on only real folders count.
    const real = realpathSync(parent)
    if (!isSafe(real, uid)) return undefined
    const folder = join(real, name)
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    // Nobody else can exchange it after this look: the folders above have been checked before.
    const stats = lstatSync(folder)
    if (!stats.isDirectory()) return undefined
    return uid === undefined || (stats.uid === uid && (stats.mode & 0o077) === 0) ? folder : undefined
  } catch {
    return undefined
  }
}

/** Whether nobody but the user and root can rename or replace a folder on the way to `path`, from the root downwards. */
function isSafe(path, uid) {
  if (uid === undefined) return true
  const above = dirname(path)
  if (above !== path && !isSafe(above, uid)) return false
  const { mode, uid: owner } = lstatSync(path)
  // With the sticky bit, as in /tmp, others can add entries but not exchange those of this user.
  const isWritableByOthers = (mode & 0o022) !== 0 && (mode & 0o1000) === 0
  return (owner === uid || owner === 0) && !isWritableByOthers
}
