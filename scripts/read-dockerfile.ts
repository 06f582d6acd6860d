// Reads the part of the Dockerfile format that this project uses, and rejects everything else.

/** Flags of each known instruction. Source: Docker, "Dockerfile reference". */
const knownFlags: Readonly<Record<string, readonly string[]>> = {
  FROM: [],
  ARG: [],
  ENV: [],
  WORKDIR: [],
  COPY: ['from', 'chown'],
  RUN: [],
  USER: [],
  VOLUME: [],
  EXPOSE: [],
  HEALTHCHECK: ['interval', 'timeout', 'start-period', 'retries'],
  CMD: [],
}

export interface Instruction {
  /** In capitals. */
  readonly name: string
  readonly line: number
  readonly flags: Readonly<Record<string, string>>
  /** What follows the flags. */
  readonly text: string
}

/** Reads the instructions of a Dockerfile. @throws {Error} for an instruction or flag that `simulate-image.ts` does not support. */
export function readDockerfile(source: string): Instruction[] {
  const instructions: Instruction[] = []
  const lines = source.split('\n')
  for (let index = 0; index < lines.length; index += 1) {
    const line = index + 1
    let text = (lines[index] ?? '').trim()
    if (text === '' || text.startsWith('#')) continue
    while (text.endsWith('\\')) {
      index += 1
      text = `${text.slice(0, -1).trimEnd()} ${(lines[index] ?? '').trim()}`
    }
    const [word = ''] = text.split(/\s/, 1)
    const name = word.toUpperCase()
    const known = Object.hasOwn(knownFlags, name) ? (knownFlags[name] ?? []) : undefined
    if (!known) throw new Error(`Dockerfile:${line}: unsupported instruction ${word}`)
    const { flags, rest } = readFlags(text.slice(word.length).trimStart())
    const unknown = Object.keys(flags).find((flag) => !known.includes(flag))
    if (unknown !== undefined) throw new Error(`Dockerfile:${line}: unsupported flag --${unknown} of ${name}`)
    if (rest.startsWith('<<')) throw new Error(`Dockerfile:${line}: unsupported here-document`)
    instructions.push({ name, line, flags, text: rest })
  }
  return instructions
}

function readFlags(text: string): { flags: Record<string, string>; rest: string } {
  const flags: Record<string, string> = {}
  let rest = text
  for (let match = /^--([\w-]+)(?:=(\S+))?\s+/.exec(rest); match; match = /^--([\w-]+)(?:=(\S+))?\s+/.exec(rest)) {
    flags[match[1] ?? ''] = match[2] ?? ''
    rest = rest.slice(match[0].length)
  }
  return { flags, rest }
}

/** The words of an instruction in JSON form or in shell form. Quotes are supported in JSON form only. */
export function toWords({ name, line, text }: Pick<Instruction, 'name' | 'line' | 'text'>): string[] {
  if (text.startsWith('[')) return JSON.parse(text) as string[] // The format requires strings.
  if (/["'`]/.test(text)) throw new Error(`Dockerfile:${line}: unsupported quotes in ${name}`)
  return text.split(/\s+/)
}

interface BuildContextFilter {
  /** Whether a path with `/`, relative to the context, is part of it. */
  includes(path: string): boolean
  /** Whether a folder can contain files of the context. */
  opens(folder: string): boolean
}

/**
 * A filter for the files that `COPY` can see, from the content of `.dockerignore`: the last pattern that matches a file or a directory above
 * it decides.
 */
export function readDockerIgnore(source: string): BuildContextFilter {
  const texts = source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const patterns = texts.map((text) => ({ isKept: text.startsWith('!'), pattern: toPattern(text.replace(/^!/, '')) }))
  const includes = (path: string) => {
    const segments = path.split('/')
    const withParents = segments.map((_, index) => segments.slice(0, index + 1).join('/'))
    return patterns.findLast(({ pattern }) => withParents.some((one) => pattern.test(one)))?.isKept ?? true
  }
  return { includes, opens: (folder) => includes(folder) || texts.some((text) => text.startsWith(`!${folder}/`)) }
}

function toPattern(text: string): RegExp {
  const clean = text.replace(/^\/|\/$/g, '')
  if (/[?[\]{}\\]/.test(clean)) throw new Error(`.dockerignore: unsupported pattern ${text}`)
  const parts = clean
    .split('/')
    .map((part) => (part === '**' ? '**' : part.replace(/[.+^$()|]/g, '\\$&').replaceAll('*', '[^/]*')))
  return new RegExp(`^${parts.join('/').replaceAll('**/', '(?:.*/)?').replaceAll('**', '.*')}$`)
}
