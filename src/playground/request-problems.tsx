import { Words } from './answer/words.tsx'
import type { RequestProblem } from './find-request-problems.ts'

interface RequestProblemsProps {
  readonly problems: readonly RequestProblem[]
  /** What is missing is told once somebody has tried. */
  readonly wasTried: boolean
  /** Whether the last try was not sent. */
  readonly isHeld: boolean
}

/** By what the button that sends is described. */
export const problemsId = 'play-problems'

/** Why the request is not sent, or not as it should be; below, what a browser changes of it, which keeps nobody from sending. */
export function RequestProblems({ problems, wasTried, isHeld }: RequestProblemsProps) {
  const wrong = problems.filter(({ kind }) => kind === 'impossible' || (wasTried && kind === 'missing'))
  const changed = problems.filter(({ kind }) => kind === 'changed')
  return (
    <div role="status" id={problemsId}>
      {isHeld && wrong.length > 0 && <p class="err">The request was not sent:</p>}
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

/**
 * What keeps a request from being sent: its address would be wrong, so it would ask for something else than the reader wants. All else is sent, so that the
 * server or the browser says what it thinks of it.
 */
export function listHolds(problems: readonly RequestProblem[]): readonly RequestProblem[] {
  return problems.filter(({ kind, at }) => kind !== 'changed' && /^(?:server|path )/.test(at))
}
