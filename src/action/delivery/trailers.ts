export type Trailer = readonly [name: string, value: string]

/** The last paragraph of a message, where it holds trailers and nothing else, as name and value. Source: `git interpret-trailers`. */
export function readTrailers(message: string): readonly Trailer[] {
  const paragraphs = message.trimEnd().split(/\n\s*\n/)
  const lines = paragraphs.length > 1 ? (paragraphs.at(-1)?.split('\n') ?? []) : []
  const matches = lines.map((line) => /^([A-Za-z0-9-]+): (.*)$/.exec(line))
  return matches.every((match) => match !== null) ? matches.map(([, name = '', value = '']) => [name, value]) : []
}

/** Adds trailers to a message: to those that it ends with, else as a paragraph of their own. */
export function addTrailers(message: string, trailers: readonly Trailer[]): string {
  const text = message.trimEnd()
  const lines = trailers.map(([name, value]) => `${name}: ${value}`).join('\n')
  return `${text}${readTrailers(text).length > 0 ? '\n' : '\n\n'}${lines}`
}
