import { useMemo } from 'preact/hooks'
import { Words } from './answer/words.tsx'
import { toRequest } from './to-request.ts'
import type { PlaygroundOperation, PlaygroundValues } from './types.ts'

interface RequestProblemsProps {
  readonly operation: PlaygroundOperation
  readonly values: PlaygroundValues
  /** What is missing is told once somebody has tried. */
  readonly wasSent: boolean
}

/** What is missing in the request, and what browsers would change of it. None of it keeps anybody from sending. */
export function RequestProblems({ operation, values, wasSent }: RequestProblemsProps) {
  const problems = useMemo(
    () => toRequest(operation, values, { base: location.href, purpose: 'send' }).problems,
    [operation, values],
  )
  const told = problems.filter(({ kind }) => wasSent || kind !== 'missing')
  return (
    <div role="status">
      {told.length > 0 && (
        <ul class="err told">
          {told.map(({ message }) => (
            <li>
              <Words text={message} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
