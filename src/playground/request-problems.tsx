import { useEffect } from 'preact/hooks'
import { Words } from './answer/words.tsx'
import { idOf } from './fields/form-context.ts'
import { listHolds, type RequestProblem } from './find-request-problems.ts'
import type { SendingTries } from './send/use-sending.ts'
import { toRequest } from './to-request.ts'
import type { PlaygroundOperation, PlaygroundValues } from './types.ts'

interface RequestProblemsProps {
  readonly operation: PlaygroundOperation
  readonly values: PlaygroundValues
  /** What is missing is told once somebody has tried. */
  readonly tries: SendingTries
  /** Given what is to be told at the fields, in sentences by their places. */
  readonly onTold: (told: Readonly<Record<string, string>>) => void
}

/**
 * Why the request is not sent, or not as it should be, here and at its fields; below, what a browser changes of it, which keeps nobody from sending. The
 * button that sends is described by it.
 */
export function RequestProblems({ operation, values, tries, onTold }: RequestProblemsProps) {
  const { problems } = toRequest(operation, values, { base: location.href, purpose: 'send' })
  const wrong = problems.filter(({ kind }) => kind === 'impossible' || (tries.count > 0 && kind === 'missing'))
  const changed = problems.filter(({ kind }) => kind === 'changed')
  const told = JSON.stringify(Object.fromEntries(wrong.map(({ at, message }) => [at, `${message.replaceAll('`', '')}.`])))
  useEffect(() => onTold(JSON.parse(told)), [told])
  useEffect(() => {
    const [hold] = listHolds(problems)
    if (!tries.isHeld || !hold) return
    // A server without variables has no field.
    const field = hold.at === 'server' ? '.form [aria-invalid]' : `[aria-describedby="${idOf(['parameters', hold.at])}-fault"]`
    // The fields are drawn with what is told of them by then.
    const timer = setTimeout(() => document.querySelector<HTMLElement>(`dialog[open] ${field}`)?.focus())
    return () => clearTimeout(timer)
  }, [tries])
  return (
    <div role="status" id="play-problems">
      {tries.isHeld && wrong.length > 0 && <p class="err">The request was not sent:</p>}
      <List problems={wrong} className="err told" />
      <List problems={changed} className="p-desc told" />
    </div>
  )
}

function List({ problems, className }: { readonly problems: readonly RequestProblem[]; readonly className: string }) {
  if (problems.length === 0) return null
  return (
    <ul class={className}>
      {problems.map(({ message }) => (
        <li>
          <Words text={message} />
        </li>
      ))}
    </ul>
  )
}
