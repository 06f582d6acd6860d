interface Instruction {
  /** In capitals. */
  readonly name: string
  /** The stage of `--from`. */
  readonly from: string | undefined
  /** What follows the flags. */
  readonly text: string
}

/** Reads the instructions of a Dockerfile. */
export function readDockerfile(source: string): readonly Instruction[] {
  const lines = source.replaceAll(/\\\n\s*/g, '').split('\n')
  return lines.flatMap((line) => {
    const [, name = '', flags = '', text = ''] = /^([A-Z]+)\s+((?:--\S+\s+)*)(.*)$/.exec(line) ?? []
    return name === '' ? [] : [{ name, from: /--from=(\S+)/.exec(flags)?.[1], text }]
  })
}

/** Whether `COPY` sees a path: the last pattern of `.dockerignore` that matches a file or a directory above it decides. */
export function readDockerIgnore(source: string): (path: string) => boolean {
  const texts = source.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const patterns = texts.map((text) => ({ isKept: text.startsWith('!'), pattern: toPattern(text.replace(/^!/, '')) }))
  return (path) => patterns.findLast(({ pattern }) => pattern.test(path))?.isKept ?? true
}

function toPattern(text: string): RegExp {
  const escaped = text.replaceAll(/[.+^$()|]/g, '\\$&').replaceAll(/\*\*\/?|\*/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))
  return new RegExp(`^${escaped}(?:/|$)`)
}
