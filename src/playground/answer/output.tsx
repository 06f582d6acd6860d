import { useEffect, useMemo, useState } from 'preact/hooks'
import { useLazyModule } from '../controls/loading.tsx'
import { TextWithCode } from '../controls/pieces.tsx'
import { say } from '../controls/playground-messages.ts'
import type { PlaygroundValues } from '../controls/types.ts'
import { type FormContext, getCheck, idOf } from '../form/form-context.tsx'
import type { HttpRequest } from '../request/http-request.ts'
import type { DescribedOperation } from '../request/read-operation.ts'
import type { OtherBodies } from '../request/request-body.ts'
import { type SendOptions, sendRequest } from '../send/send-request.ts'
import type { SendAttempt, Sending, Sent } from '../send/sent.ts'
import { listBlockingProblems, toRequest } from '../send/to-request.ts'
import { PreviousResponses, ResponseView } from './response-view.tsx'
import { SamplesPanel, type SamplesPanelProps } from './samples-panel.tsx'

export interface OutputProps extends SamplesPanelProps {
  /** The values without credentials, because samples are often shared. */
  readonly shown: PlaygroundValues
  readonly sending: Sending
  readonly onMessages: (messages: FormContext['messages']) => void
}

const tabs = ['Sample', 'Response'] as const

/** The right side of the dialog: request problems, and tabs for the code samples and the response. Loaded after the form. */
export function Output({
  operation,
  values,
  shown,
  languages,
  others,
  sending: { sent, lastAttempt, send, relay },
  onMessages,
}: OutputProps) {
  useEffect(() => {
    const dialog = document.querySelector<HTMLElement>('dialog.play')
    return dialog ? keepFocus(dialog) : undefined
  }, [])
  const [earlier, showEarlier] = useState<Sent>()
  const [chosen, choose] = useState<{ readonly tab: (typeof tabs)[number]; readonly at: number | undefined }>()
  // Each request shows its response, whatever the reader has chosen before.
  const tab = chosen && chosen.at === sent?.startedAt ? chosen.tab : sent ? 'Response' : 'Sample'
  const response = earlier ?? sent
  const built = useMemo(
    () => toRequest(operation, values, { base: location.href, purpose: 'send', others }),
    [operation, values, others],
  )
  const sentKey = useMemo(() => response && toRequestKey(response.request), [response?.request])
  const currentKey = useMemo(() => toRequestKey(built.request), [built])
  return (
    <>
      <RequestProblems
        operation={operation}
        values={values}
        problems={built.problems}
        lastAttempt={lastAttempt}
        onMessages={onMessages}
      />
      <div class="tabs seg">
        <fieldset>
          <legend class="vh">{say('Sample or response')}</legend>
          {tabs.map((one) => (
            <label>
              <input
                type="radio"
                name="play-output"
                checked={one === tab}
                onChange={() => choose({ tab: one, at: sent?.startedAt })}
              />{' '}
              {say(one)}
            </label>
          ))}
        </fieldset>
      </div>
      <div hidden={tab !== 'Sample'}>
        <SamplesPanel operation={operation} values={shown} languages={languages} others={others} />
      </div>
      <div hidden={tab !== 'Response'}>
        <PreviousResponses sent={sent} shown={earlier} onShow={showEarlier} />
        <ResponseView
          sent={response}
          isOutdated={sentKey !== undefined && sentKey !== currentKey}
          onSend={send}
          onRelay={relay}
        />
      </div>
    </>
  )
}

/** Equal for equal requests. JSON is compared by its value, and files by name, size and date. */
function toRequestKey({ body, ...request }: HttpRequest): string {
  return JSON.stringify([request, body?.kind === 'json' ? body.value : body], (_key, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  )
}

export { sendRequest } from '../send/send-request.ts'

/**
 * Sends the request that the form describes, and reports the outcome through `onChange`. Returns `true` without sending if the URL would be wrong.
 */
export function sendValues(
  operation: DescribedOperation,
  values: PlaygroundValues,
  others: OtherBodies | undefined,
  options: Omit<SendOptions, 'request'>,
): boolean {
  const { request, problems } = toRequest(operation, values, { base: location.href, purpose: 'send', others })
  const isBlocked = listBlockingProblems(problems).length > 0
  // `sendRequest` never rejects.
  if (!isBlocked) void sendRequest({ ...options, request })
  return isBlocked
}

interface RequestProblemsProps {
  readonly operation: DescribedOperation
  readonly values: PlaygroundValues
  readonly problems: ReturnType<typeof toRequest>['problems']
  /** Missing values are shown only after an attempt to send. */
  readonly lastAttempt: SendAttempt | undefined
  /** Receives the messages to show next to the fields, by field ID. */
  readonly onMessages: (messages: Readonly<Record<string, string>>) => void
}

/**
 * Lists what prevents sending and what the browser changes. The Send button refers to this list, and each field shows its own problem.
 */
function RequestProblems({ operation, values, problems, lastAttempt, onMessages }: RequestProblemsProps) {
  const wrong = problems.filter(({ kind }) => kind === 'impossible' || (lastAttempt && kind === 'missing'))
  const changed = problems.filter(({ kind }) => kind === 'changed')
  const check = useLazyModule(getCheck, lastAttempt !== undefined).module
  const missing = lastAttempt && check ? listMissingInForm(operation, values, check) : []
  const listed = [
    ...wrong.map(({ message }) => message),
    ...[...new Set(missing.map((path) => path.join('.')))].slice(0, 8).map((name) => say('Missing `{name}` in the body', name)),
  ]
  const messages = JSON.stringify(
    Object.fromEntries([
      ...wrong.map(({ at, message }) => [toId(at), `${message.replaceAll('`', '')}.`]),
      ...missing.map((path) => [idOf(['body', ...path]), say('This field is required.')]),
    ]),
  )
  useEffect(() => onMessages(JSON.parse(messages)), [messages])
  useEffect(() => {
    const [blocking] = listBlockingProblems(problems)
    // The server section shows the problems of the server.
    if (!lastAttempt?.isBlocked || !blocking) return
    // Wait until the fields are rendered with their problems.
    const timer = setTimeout(() => {
      const field = document.querySelector<HTMLElement>(`[aria-describedby="${toId(blocking.at)}-error"]`)
      field?.closest('details')?.setAttribute('open', '')
      field?.focus()
    })
    return () => clearTimeout(timer)
  }, [lastAttempt])
  return (
    <div role="status" id="play-problems">
      {lastAttempt && listed.length > 0 && (
        <p class="err">{lastAttempt.isBlocked ? say('The request was not sent:') : say('The request was sent anyway:')}</p>
      )}
      <ProblemList problems={listed} className="err problems" />
      <ProblemList problems={changed.map(({ message }) => message)} className="p-desc problems" />
    </div>
  )
}

/** Required values that are missing in a form body. */
function listMissingInForm(
  operation: DescribedOperation,
  { body }: PlaygroundValues,
  { listMissing }: Awaited<ReturnType<typeof getCheck>>,
): ReturnType<typeof listMissing> {
  const description = operation.bodies[body.index]
  return description && body.mode === 'form' && body.value !== undefined
    ? listMissing(body.value, description.schema, operation)
    : []
}

/** The ID of the field that has the problem. */
function toId(at: string): string {
  return idOf(at === 'body' ? [at] : ['parameters', at])
}

function ProblemList({ problems, className }: { readonly problems: readonly string[]; readonly className: string }) {
  if (problems.length === 0) return null
  return (
    <ul class={className}>
      {problems.map((message) => (
        <li>
          <TextWithCode text={message} />
        </li>
      ))}
    </ul>
  )
}

const focusable = 'a[href],button:not(:disabled),input:not(:disabled),select,textarea,summary,[tabindex="0"]'

/**
 * When the focused element is removed, such as a list item, moves the focus to its replacement or to the nearest remaining element. Returns a
 * function that stops this.
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
    const target = record && findFocusTarget(record, records, dialog)
    target?.focus()
  })
  dialog.addEventListener('focusin', onFocus)
  observer.observe(dialog, { childList: true, subtree: true })
  return () => {
    dialog.removeEventListener('focusin', onFocus)
    observer.disconnect()
  }
}

function findFocusTarget(
  { target, nextSibling: next }: MutationRecord,
  records: readonly MutationRecord[],
  dialog: HTMLElement,
): HTMLElement | undefined {
  const added = records.flatMap((record) => (record.target === target ? [...record.addedNodes] : []))
  for (let at: Node | null = target; at instanceof Element && dialog.contains(at); at = at.parentElement) {
    const found = [...at.querySelectorAll<HTMLElement>(focusable)].filter((one) => one.checkVisibility())
    const nearest =
      found.find((one) => added.some((node) => node.contains(one))) ??
      found.find((one) => next?.isConnected && (next.compareDocumentPosition(one) & follows || next === one)) ??
      found.at(-1)
    if (nearest) return nearest
  }
  return undefined
}

/** Also set for descendants. */
const follows = Node.DOCUMENT_POSITION_FOLLOWING
