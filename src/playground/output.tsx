import { useEffect, useState } from 'preact/hooks'
import { AnswerView, EarlierAnswers } from './answer/answer-view.tsx'
import { type FormContext, idOf } from './fields/form-context.tsx'
import type { OtherBodies } from './other-bodies.ts'
import { Words } from './pieces.tsx'
import { SamplesPanel } from './samples-panel.tsx'
import { type SendOptions, sendRequest } from './send/send-request.ts'
import type { Sending, SendingTry, Sent } from './send/sent.ts'
import { findMissing, listHolds, toRequest } from './to-request.ts'
import type { PlaygroundOperation, PlaygroundValues } from './types.ts'

export interface OutputProps {
  readonly operation: PlaygroundOperation
  readonly values: PlaygroundValues
  /** The values without what is typed as credentials: samples are copied to where those should not be. */
  readonly shown: PlaygroundValues
  readonly languages: readonly string[] | undefined
  readonly others: OtherBodies | undefined
  readonly sending: Sending
  readonly onTold: (told: FormContext['told']) => void
}

/** What comes of the form: what is wrong with the request, the request as code, and the answer. With all that writes and sends a request it is loaded after the form. */
export function Output({ operation, values, shown, languages, others, sending: { sent, tried, stop }, onTold }: OutputProps) {
  useEffect(() => {
    const dialog = document.querySelector<HTMLElement>('dialog.play')
    return dialog ? keepFocus(dialog) : undefined
  }, [])
  const [earlier, showEarlier] = useState<Sent>()
  return (
    <>
      <RequestProblems operation={operation} values={values} others={others} tried={tried} onTold={onTold} />
      <SamplesPanel operation={operation} values={shown} languages={languages} others={others} />
      <EarlierAnswers sent={sent} shown={earlier} onShow={showEarlier} />
      <AnswerView sent={earlier ?? sent} onStop={stop} />
    </>
  )
}

/**
 * Sends the request that the form describes, unless its URL would be wrong. Returns whether it was held back for that reason; the outcome is
 * reported through `onChange`.
 */
export function sendValues(
  operation: PlaygroundOperation,
  values: PlaygroundValues,
  others: OtherBodies | undefined,
  options: Omit<SendOptions, 'request'>,
): boolean {
  const { request, problems } = toRequest(operation, values, { base: location.href, purpose: 'send', others })
  const isHeld = listHolds(problems).length > 0
  // Never rejects.
  if (!isHeld) void sendRequest({ ...options, request })
  return isHeld
}

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
function RequestProblems({ operation, values, others, tried, onTold }: RequestProblemsProps) {
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

const focusable = 'a[href],button:not(:disabled),input:not(:disabled),select,textarea,summary,[tabindex="0"]'

/**
 * Gives the focus a place when the element that has it is taken away (an item that is removed, a button that did its one thing): in what came in its stead, else to what
 * follows in the same group, else to what stands before it, else further out. Returns what ends it.
 */
function keepFocus(dialog: HTMLElement): () => void {
  let last: Element | undefined
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof Element) last = target
  }
  const observer = new MutationObserver((records) => {
    if (!last || last.isConnected || !(document.activeElement === document.body || document.activeElement === dialog)) return
    const gone = last.getRootNode()
    const record = records.findLast(({ removedNodes }) => [...removedNodes].includes(gone))
    const place = record && findPlace(record, records, dialog)
    place?.focus()
  })
  dialog.addEventListener('focusin', onFocus)
  observer.observe(dialog, { childList: true, subtree: true })
  return () => {
    dialog.removeEventListener('focusin', onFocus)
    observer.disconnect()
  }
}

function findPlace(
  { target, nextSibling: next }: MutationRecord,
  records: readonly MutationRecord[],
  dialog: HTMLElement,
): HTMLElement | undefined {
  const added = records.flatMap((record) => (record.target === target ? [...record.addedNodes] : []))
  for (let at: Node | null = target; at instanceof Element && dialog.contains(at); at = at.parentElement) {
    const found = [...at.querySelectorAll<HTMLElement>(focusable)].filter((one) => one.checkVisibility())
    const place =
      found.find((one) => added.some((node) => node.contains(one))) ??
      found.find((one) => next?.isConnected && (next.compareDocumentPosition(one) & follows || next === one)) ??
      found.at(-1)
    if (place) return place
  }
  return undefined
}

/** Of what stands inside it, too. */
const follows = Node.DOCUMENT_POSITION_FOLLOWING
