import type { FastifyInstance } from 'fastify'

/** The methods of a path that has routes, whichever method was asked for; empty for an unknown path. */
export type AllowedMethods = (path: string) => readonly string[]

/** Collects the routes that are registered after it: Fastify answers 404 to a known path with another method. */
export function collectAllowedMethods(server: FastifyInstance): AllowedMethods {
  const routes = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ url, method }) => {
    const methods = routes.get(url) ?? new Set()
    routes.set(url, methods)
    for (const one of [method].flat()) methods.add(one)
  })
  return (path) => {
    const steps = path.split('/')
    const fitting = [...routes].filter(([url]) => fits(url.split('/'), steps)).flatMap(([, methods]) => [...methods])
    return fitting.length === 0 ? [] : [...new Set([...fitting, 'OPTIONS'])].sort()
  }
}

/** `:name` is one step or the beginning of one, a final `*` all the rest. */
function fits(pattern: readonly string[], steps: readonly string[]): boolean {
  const hasRest = pattern.at(-1) === '*'
  if (hasRest ? steps.length < pattern.length : steps.length !== pattern.length) return false
  return pattern.every((part, index) => {
    const step = steps[index] ?? ''
    const name = /:\w+/.exec(part)
    if (!name) return part === step || (hasRest && index === pattern.length - 1)
    const [before, after] = [part.slice(0, name.index), part.slice(name.index + name[0].length)]
    return step.length > before.length + after.length && step.startsWith(before) && step.endsWith(after)
  })
}
