import type { PlaygroundServer } from './types.ts'

/** The address of a server, its variables as chosen, else with their defaults; a relative one begins at `base`. Unreadable ones stay as they are. */
export function toServerAddress(
  { url, variables }: Pick<PlaygroundServer, 'url' | 'variables'>,
  chosen: Readonly<Record<string, string>>,
  base: string,
): string {
  const filled = url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = variables.find((one) => one.name === name)
    return (Object.hasOwn(chosen, name) && chosen[name]) || variable?.default || whole
  })
  if (/^[a-z][\w+.-]*:/i.test(filled)) return filled
  try {
    return new URL(filled, base).href
  } catch {
    return filled
  }
}
