import { joinPath, matchesSteps, type PatternStep } from '../../text/plain/paths.ts'

/**
 * Creates a matcher for paths relative to the boundary from a pattern relative to a directory. `*` matches within one path
 * segment, the segment `**` matches any segments, and a directory matches everything below it.
 */
export function toPathPattern(pattern: string, folder: string): { test(path: string): boolean } {
  const steps = joinPath(folder, pattern).split('/').map(toStep)
  return { test: (path) => matchesSteps(steps, path.split('/')) || matchesSteps([...steps, '**'], path.split('/')) }
}

function toStep(text: string): PatternStep {
  return text === '**' ? text : [...text].map((character) => (character === '*' ? character : { character }))
}
