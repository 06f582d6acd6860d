import { useEffect } from 'preact/hooks'
import { Words } from './answer/words.tsx'
import { idOf } from './fields/form-context.ts'
import { findMissing } from './find-missing.ts'
import { listHolds } from './find-request-problems.ts'
import type { OtherBodies } from './other-bodies.ts'
import type { SendingTry } from './send/use-sending.ts'
import { toRequest } from './to-request.ts'
import type { PlaygroundOperation, PlaygroundValues } from './types.ts'

interface RequestProblemsProps {
  readonly operation: PlaygroundOperation
  readonly values: PlaygroundValues
  readonly others: OtherBodies | undefined
  /** What is missing is told once somebody has tried. */
  readonly tried: SendingTry | undefined
  /** Given what is to be told at the fields, in sentences by the addresses of these. */
  readonly onTold: (told: Readonly<Record<string, string>>) => void
}

/**
 * Why the request is not sent, or not as it should be, here and at its fields; below, what a browser changes of it, which keeps nobody from sending. The
 * button that sends is described by it.
 */
export function RequestProblems({ operation, values, others, tried, onTold }: RequestProblemsProps) {
  const { problems } = toRequest(operation, values, { base: location.href, purpose: 'send', others })
  const wrong = problems.filter(({ kind }) => kind === 'impossible' || (tried && kind === 'missing'))
  const changed = problems.filter(({ kind }) => kind === 'changed')
  const missing = tried ? listMissing(operation, values) : []
  const told = JSON.stringify({
    ...Object.fromEntries(wrong.map(({ at, message }) => [toId(at), `${message.replaceAll('`', '')}.`])),
    ...Object.fromEntries(missing.map((path) => [idOf(['body', ...path]), 'Missing in the body.'])),
  })
  useEffect(() => onTold(JSON.parse(told)), [told])
  useEffect(() => {
    const [hold] = listHolds(problems)
    // What stands in the way at the server is said there.
    if (!tried?.isHeld || !hold) return
    // The fields are drawn with what is told of them by then.
    const timer = setTimeout(() => document.querySelector<HTMLElement>(`[aria-describedby="${toId(hold.at)}-fault"]`)?.focus())
    return () => clearTimeout(timer)
  }, [tried])
  return (
    <div role="status" id="play-problems">
      {tried?.isHeld && wrong.length > 0 && <p class="err">The request was not sent:</p>}
      <List problems={wrong.map(({ message }) => message)} className="err told" />
      <List problems={missing.slice(0, 8).map((path) => `Missing \`${path.join('.')}\` in the body`)} className="err told" />
      <List problems={changed.map(({ message }) => message)} className="p-desc told" />
    </div>
  )
}

/** What the body needs and does not have, as far as a form tells. */
function listMissing({ bodies, resolve }: PlaygroundOperation, { body }: PlaygroundValues): ReturnType<typeof findMissing> {
  const description = bodies[body.index]
  return description && body.mode === 'form' && body.value !== undefined
    ? findMissing(body.value, description.schema, resolve)
    : []
}

/** The address of the field that a problem is at. */
function toId(at: string): string {
  return idOf(at === 'body' ? [at] : ['parameters', at])
}

function List({ problems, className }: { readonly problems: readonly string[]; readonly className: string }) {
  if (problems.length === 0) return null
  return (
    <ul class={className}>
      {problems.map((message) => (
        <li>
          <Words text={message} />
        </li>
      ))}
    </ul>
  )
}
