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
  /** The values without credentials, because samples are often shared. */
  readonly shown: PlaygroundValues
  readonly languages: readonly string[] | undefined
  readonly others: OtherBodies | undefined
  readonly sending: Sending
  readonly onTold: (told: FormContext['told']) => void
}

/** The right side of the dialog: problems of the request, code samples and the response. Loaded after the form, with everything that writes and sends requests. */
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
  /** Missing values are reported only after an attempt to send. */
  readonly tried: SendingTry | undefined
  /** Receives the sentences to show at the fields, by the ID of the field. */
  readonly onTold: (told: Readonly<Record<string, string>>) => void
}

/**
 * Reports why the request cannot be sent as intended, here and at the fields, and what the browser changes, which does not prevent sending. It
 * describes the Send button.
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
    // Problems of the server are shown at the server.
    if (!tried?.isHeld || !hold) return
    // By then the fields are rendered with their problems.
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

/** Required values that are missing in a body with a form. */
function listMissing({ bodies, resolve }: PlaygroundOperation, { body }: PlaygroundValues): ReturnType<typeof findMissing> {
  const description = bodies[body.index]
  return description && body.mode === 'form' && body.value !== undefined
    ? findMissing(body.value, description.schema, resolve)
    : []
}

/** The ID of the field with a problem. */
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
 * Moves the focus when the focused element is removed, such as an item of a list: to its replacement, else to the next element of the same group,
 * the previous one, or one further out. Returns a function that stops it.
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

/** Also set for elements inside of it. */
const follows = Node.DOCUMENT_POSITION_FOLLOWING
