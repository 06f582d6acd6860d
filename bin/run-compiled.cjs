'use strict'
// Runs the command line from its bundle, with the code that V8 compiled in earlier runs: a check of a small document takes two thirds of
// the time. Node's own cache keeps only what is compiled before anything has run, so the functions that are called would be missing.
// Not by `import`, which reads all that a module has and so loads parts of Node that nothing here needs.
const {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} = process.getBuiltinModule('node:fs')
const { Script } = process.getBuiltinModule('node:vm')

// Not by `join`, which looks at each letter: it would be the first that V8 compiles.
const folder = `${__dirname}/../build/cli`
const words = process.argv.slice(3)
const isShort = isShortRun(words)
const isYaml = words.some((word) => /\.ya?ml$/i.test(word))
const hasLargeYaml = !isShort && sizeOfAll(words, /\.ya?ml$/i) >= 2 ** 19
// Whether all that a check makes of the JSON fits into 64 MiB; less than 4 is not worth it, where examples are checked, with more garbage.
const jsonSize = isShort || isYaml ? 0 : sizeOfAll(words, /\.json$/i)
const hasLargeJson = jsonSize > 4 * 2 ** 20 && jsonSize < 20 * 2 ** 20
/** What the flags and the functions that are kept depend on. */
const kind = isShort ? 'short' : hasLargeYaml ? 'large-yaml' : isYaml ? 'yaml' : hasLargeJson ? 'json' : 'long'
// A longer run is over before V8's slowest compiler has paid for itself: without it a check takes up to a quarter less CPU time, and the
// faster ones stay. To set it takes longer than to check a small document.
const isPreview = process.argv[2] === 'preview'
// That holds also for what renders a whole site of thousands of pages, but not for the compilers before.
const isLong = isPreview || process.argv[2] === 'build'
// Other flags only where they were measured: V8 complains on the standard error of one that it does not know.
const isMeasured = /^24\./.test(process.versions.node)
if (isLong && isMeasured) {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  // Little of what a build makes stays: by default V8 lets it grow to four times that before it looks.
  setFlagsFromString('--heap-growing-percent=40')
  // A build that takes over nearly all finds less garbage to look for, a whole one is as large.
  setFlagsFromString('--semi-space-growth-factor=8')
}
if (!isShort && !isPreview) {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString('--no-opt')
  // Threads that help to copy a megabyte cost more than they save: without them a check of Stripe's YAML takes a seventh less, a build a twelfth.
  if (isMeasured) setFlagsFromString('--no-parallel-scavenge')
  if (isMeasured && !isLong) {
    // The compiler before that one saves less than it takes for all but the innermost functions; by default 400 calls are enough for it. In a
    // large YAML file the innermost are called for each character.
    setFlagsFromString(`--invocation-count-for-maglev=${hasLargeYaml ? 1200 : 5000}`)
    // To parse YAML makes much that is soon garbage: the space for what is new stays small enough for the processor's cache.
    if (isYaml) {
      setFlagsFromString('--semi-space-growth-factor=1')
      // What stays of a large one is little enough to be looked through at once instead of in steps.
      if (hasLargeYaml) setFlagsFromString('--no-incremental-marking')
    } else if (hasLargeJson) {
      // What is parsed of JSON stays to the end, and V8 would copy it twice on its way out of the space for what is new. In the largest one
      // there can be, 64 MiB, all has room that a check makes, also of ten thousand faults, and nothing is copied; only what is used of it
      // is memory. 158 instead of 169 ms for 13 MB, 92 instead of 113 for 5, 361 instead of 521 with the faults.
      setFlagsFromString('--semi-space-growth-factor=64')
      // Else V8 copies what is there as soon as most of that space is full, just before the end, and looks for garbage it has no time to collect.
      setFlagsFromString('--no-minor-gc-task')
      setFlagsFromString('--no-incremental-marking')
    }
  }
}

/** One folder for each user; `undefined` where nothing is to be kept. */
const top = findTop()
/** By the content of the bundle and by Node. Which functions a run needs depends on the command; V8 refuses what other flags made. */
const kept = top === undefined ? undefined : `${top}/${nameKept()}`
/** Of so many versions of the program, and of Node, something is kept beside that of this one: people have several in use. */
const otherVersions = 4
/** So many runs add what they compiled. */
const runsThatAdd = 3
const parts = new Map()
load('./index.js')

process.on('exit', () => {
  if (kept !== undefined) for (const part of parts.values()) if (part.runs < runsThatAdd) keep(part)
})

/** Reads a part of the bundle, or a module of Node. */
function load(id) {
  if (!id.startsWith('./')) return process.getBuiltinModule(id)
  const known = parts.get(id)
  if (known) return known.module.exports
  const filename = `${folder}/${id.slice(2)}`
  const before = readKept(id)
  const code = `(function (module, exports, require, __dirname, __filename) {${readFileSync(filename, 'utf8')}\n})`
  const script = new Script(code, { filename, cachedData: before?.data })
  const part = { id, script, runs: before === undefined || script.cachedDataRejected ? 0 : before.runs, module: { exports: {} } }
  parts.set(id, part)
  script.runInThisContext()(part.module, part.module.exports, load, folder, filename)
  return part.module.exports
}

/** The bytes of the files of a kind that are named. */
function sizeOfAll(words, ending) {
  return words.reduce((sum, word) => sum + (ending.test(word) ? (sizeOf(word) ?? 0) : 0), 0)
}

/** Whether only small files are named. */
function isShortRun(words) {
  const paths = words.filter((word) => !word.startsWith('-'))
  return paths.length > 0 && paths.length < 10 && paths.every((path) => (sizeOf(path) ?? Number.POSITIVE_INFINITY) < 65_536)
}

function sizeOf(path) {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats?.isFile() ? stats.size : undefined
  } catch {
    return undefined
  }
}

function findTop() {
  const { NODE_DISABLE_COMPILE_CACHE, NODE_COMPILE_CACHE, TMPDIR, TMP, TEMP } = process.env
  if (NODE_DISABLE_COMPILE_CACHE === '1') return undefined
  // As `os.tmpdir` has it, which would be all that is used of `node:os`; that is not loaded yet, and Windows is not that simple.
  const isWindows = process.platform === 'win32'
  const temporary = isWindows ? process.getBuiltinModule('node:os').tmpdir() : TMPDIR || TMP || TEMP || '/tmp'
  const path = `${NODE_COMPILE_CACHE || temporary}/openapi-pages-${process.getuid?.() ?? 'compiled'}`
  return isOurs(path) === false ? undefined : path
}

/** Whether nobody else can put code into a folder that this user would then run; `undefined` where nothing is. */
function isOurs(path) {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined || process.getuid === undefined) return stats?.isDirectory()
    return stats.isDirectory() && stats.uid === process.getuid() && (stats.mode & 0o022) === 0
  } catch {
    return false
  }
}

function nameKept() {
  const bundle = readFileSync(`${folder}/content-hash.txt`, 'utf8')
  const command = /^[a-z-]+$/.exec(process.argv[2] ?? '')?.[0] ?? 'none'
  return `${bundle}-${process.version}-${process.arch}/${command}-${kind}`
}

function readKept(id) {
  if (kept === undefined) return undefined
  try {
    const bytes = readFileSync(`${kept}/${id.slice(2)}`)
    const middle = bytes.length / 2
    const half = bytes.subarray(0, middle)
    // V8 trusts what it reads and dies of a single wrong bit. To compare two copies takes a tenth of the time that a checksum takes to load.
    if (!half.equals(bytes.subarray(middle))) return undefined
    return { data: half.subarray(0, -1), runs: half.at(-1) }
  } catch {
    return undefined
  }
}

/** Two copies, each with a last byte that counts the runs. Whole or not at all. */
function keep({ id, script, runs }) {
  const target = `${kept}/${id.slice(2)}`
  const waiting = `${target}.${process.pid}`
  try {
    const isNewVersion = lstatSync(toVersion(kept), { throwIfNoEntry: false }) === undefined
    mkdirSync(kept, { recursive: true, mode: 0o700 })
    if (!isOurs(top)) return
    const half = Buffer.concat([script.createCachedData(), Buffer.of(runs + 1)])
    const bytes = Buffer.concat([half, half])
    const file = openSync(waiting, 'wx', 0o600)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(waiting, target)
    if (isNewVersion) removeOldVersions()
  } catch {
    // It is as well without.
    rmSync(waiting, { force: true })
  }
}

/**
 * Removes what versions have kept that were new the longest ago. One that is still in use keeps its code anew, and whoever writes there
 * right now goes on without.
 */
function removeOldVersions() {
  const others = readdirSync(top)
    .filter((name) => `${top}/${name}` !== toVersion(kept) && /^[0-9a-f]{32}-v\d+\.\d+\.\d+[\w.-]*-[a-z0-9]+$/.test(name))
    .map((name) => ({ path: `${top}/${name}`, stats: lstatSync(`${top}/${name}`, { throwIfNoEntry: false }) }))
    .filter(({ stats }) => stats?.isDirectory())
    .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)
  for (const { path } of others.slice(otherVersions)) {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // Another process writes there, or removes it too.
    }
  }
}

/** The folder of the version that a folder of a command stands in. */
function toVersion(path) {
  return path.slice(0, path.lastIndexOf('/'))
}
