import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from './temporary-folder.ts'

interface Runner {
  /** The program and the arguments that show whether it is installed. */
  readonly probe: readonly [string, ...string[]]
  readonly command: readonly [string, ...string[]]
  readonly file: string
  /** One program of several independent samples. */
  readonly join: (sources: readonly string[]) => string
}

const braces = (sources: readonly string[]) => sources.map((source) => `{\n${source}\n}`).join('\n')
const node = process.execPath

/** How to run samples, by the key of their language. Languages with heavy tools are omitted. */
const runners: Readonly<Record<string, Runner>> = {
  bash: { probe: ['curl', '--version'], command: ['sh'], file: 'a.sh', join: (sources) => `set -e\n${sources.join('\n')}\n` },
  javascript: { probe: [node, '--version'], command: [node], file: 'a.mjs', join: braces },
  node: {
    probe: [node, '--version'],
    command: [node],
    file: 'a.mjs',
    join: (sources) => {
      const line = "import { openAsBlob } from 'node:fs'\n"
      return line + braces(sources.map((source) => source.replace(line, '')))
    },
  },
  typescript: {
    probe: [node, '--experimental-strip-types', '--no-warnings', '-e', ''],
    command: [node, '--experimental-strip-types', '--no-warnings'],
    file: 'a.mts',
    join: braces,
  },
  python: {
    probe: ['python3', '-c', 'import requests'],
    command: ['python3'],
    file: 'a.py',
    join: (sources) => sources.join('\n\n'),
  },
  ruby: { probe: ['ruby', '--version'], command: ['ruby'], file: 'a.rb', join: (sources) => sources.join('\n') },
  php: {
    probe: ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
    command: ['php'],
    file: 'a.php',
    join: (sources) => `<?php\n${sources.map((source) => source.replace('<?php\n', '')).join('\n')}`,
  },
  java: {
    probe: ['java', '--version'],
    command: ['java'],
    file: 'Sample.java',
    join: (sources) => {
      const imports = new Set(sources.flatMap((source) => source.match(/^import .*$/gm) ?? []))
      const bodies = sources.map((source, index) => {
        return `static void run${index}() throws Exception {\n${source.replace(/^import .*$/gm, '')}\n}`
      })
      const calls = sources.map((_, index) => `run${index}();`).join(' ')
      return `${[...imports].join('\n')}\nclass Sample {\n${bodies.join('\n')}\npublic static void main(String[] a) throws Exception { ${calls} }\n}`
    },
  },
}

/** Whether this machine can run the samples of a language. */
export function canRunSamples(language: string): boolean {
  const runner = runners[language]
  if (!runner) return false
  const [command, ...args] = runner.probe
  return spawnSync(command, args).status === 0
}

interface SamplesRun {
  readonly code: number | null
  readonly errors: string
  /** The new files in the folder. */
  readonly files: readonly string[]
}

/** Runs samples of a language one after the other in a new folder with these files. */
export async function runSamples(
  language: string,
  sources: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<SamplesRun> {
  const runner = runners[language]
  if (!runner) throw new Error(`Cannot run ${language}`)
  const folder = await makeTemporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, runner.file), runner.join(sources))
  const [command, ...args] = runner.command
  const result = await new Promise<{ code: number | null; errors: string }>((resolve) => {
    const env = { ...process.env, NO_PROXY: '*', no_proxy: '*', http_proxy: '', HTTP_PROXY: '' }
    const child = spawn(command, [...args, runner.file], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr.on('data', (data) => {
      errors += String(data)
    })
    child.on('error', (error) => resolve({ code: -1, errors: String(error) }))
    child.on('close', (code) => resolve({ code, errors }))
  })
  const known = new Set([runner.file, ...Object.keys(files)])
  return { ...result, files: readdirSync(folder).filter((file) => !known.has(file)) }
}
