import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { hasCredentials, useCredentials } from './authentication/kept-credentials.ts'
import { type LazyModule, LoadingNote, useLazyModule, useStages } from './controls/loading.tsx'
import { Icon, IconButton } from './controls/pieces.tsx'
import { say, sayDecimal } from './controls/playground-messages.ts'
import { writeStored } from './controls/site-storage.ts'
import type { FieldValue, PlaygroundSettings, PlaygroundValues } from './controls/types.ts'
import { Field } from './form/field.tsx'
import { FormContext, getCheck, isEmpty } from './form/form-context.tsx'
import { initialValues, setIn } from './form/form-values.ts'
import { chooseServer, toServerUrl } from './form/reachable-servers.ts'
import { recallValues, rememberValues, secret } from './form/remember-values.ts'
import { BodySection, ExtraSection, ParameterSections } from './form/request-sections.tsx'
import { ServerSection, UrlBar } from './form/url-bar.tsx'
import type { HttpRequest } from './request/http-request.ts'
import { type DescribedOperation, needsOtherBodies } from './request/read-operation.ts'
import type { OtherBodies } from './request/request-body.ts'
import type { SendAttempt, Sending, Sent } from './send/sent.ts'

interface PlaygroundProps {
  readonly operation: DescribedOperation
  readonly settings: PlaygroundSettings
  /** The key in the tab's session storage. */
  readonly memoryKey: string
  readonly onClose: () => void
}

/** Whether an operation accepts credentials. */
export function acceptsCredentials({ security }: DescribedOperation): boolean {
  return security.some((one) => one.length > 0)
}

/** Whether an operation has anything to fill in. Otherwise, the response gets the space. */
function hasFields(operation: DescribedOperation): boolean {
  return operation.parameters.length + operation.bodies.length > 0 || acceptsCredentials(operation)
}

/** Loads the credential fields. */
export const getAuthentication = () => import('./authentication/authentication.tsx')

/** The stages of rendering: URL bar, parameters and credentials, body, output. */
const stages = 3

/** The content of the dialog: the request form and its output. */
export function Playground({ operation, settings, memoryKey, onClose }: PlaygroundProps) {
  const [values, setValues] = useRememberedValues(operation, settings, memoryKey)
  // Without parameters and credentials, start with the body.
  const stage = useStages(operation.parameters.length + operation.security.length > 0 ? 0 : 1, stages)
  /** Changes on every reset, so that the form is created again and its sections expand. */
  const [round, setRound] = useState(0)
  const reset = () => {
    writeStored(memoryKey, undefined)
    // The server is shared with other operations.
    setValues(({ server }) => ({ ...initialValues(operation, settings), server }))
    setRound(round + 1)
    sending.forget()
  }
  const { servers, security } = operation
  const { server } = values
  const serverUrl = toServerUrl(chooseServer(servers, server), server.variables, location.href)
  const origin = serverUrl && URL.canParse(serverUrl) ? new URL(serverUrl).origin : ''
  const keptCredentials = useCredentials(security, origin)
  /** The values, with the credentials for the selected server. */
  const whole = { ...values, credentials: keptCredentials.credentials }
  const authentication = useLazyModule(getAuthentication, acceptsCredentials(operation))
  const { alternative } = keptCredentials.credentials
  const shown = useMemo(() => ({ ...values, credentials: { alternative, byScheme: {} } }), [values, alternative])
  const output = useOutput(operation, stage === stages)
  const sending = useSending(operation, whole, settings, output.load)
  const change = useCallback((part: Partial<PlaygroundValues>) => setValues((before) => ({ ...before, ...part })), [])
  const { form, checkPart, setMessages } = useForm(operation, setValues, {
    round,
    isSent: sending.lastAttempt !== undefined,
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) sending.send()
  }
  return (
    <FormContext.Provider value={form}>
      <div class="bar">
        <OperationMenu title={operation.title} />
        <button type="button" class="btn quiet reset" onClick={reset}>
          {say('Reset')}
        </button>
        <IconButton icon="x" label={say('Close')} onClick={onClose} />
      </div>
      <UrlBar operation={operation} values={values} onChange={change} onKeyDown={onKeyDown}>
        <SendButton sending={sending} />
      </UrlBar>
      <div
        class={hasFields(operation) ? 'form' : 'form none'}
        key={round}
        role="group"
        aria-label={say('Request')}
        aria-busy={stage < 2}
        onKeyDown={onKeyDown}
      >
        {stage >= 1 && (
          <>
            <ServerSection servers={servers} value={server} onChange={(server) => change({ server })} />
            {acceptsCredentials(operation) &&
              (authentication.module ? (
                <authentication.module.Authentication
                  security={security}
                  keptCredentials={keptCredentials}
                  origin={origin}
                  lastAttempt={sending.lastAttempt}
                />
              ) : (
                <LoadingNote what={say('The authorization fields')} part={authentication} />
              ))}
            <ParameterSections operation={operation} values={values} />
          </>
        )}
        {stage >= 2 && (
          <>
            <BodySection operation={operation} values={values} onChange={change} />
            <ExtraSection extras={values.extras} onChange={(extras) => change({ extras })} />
          </>
        )}
        {checkPart.isMissing && <LoadingNote what={say('Input validation')} part={checkPart} />}
      </div>
      <div class="out" role="group" aria-label={say('Code sample and response')} onKeyDown={onKeyDown}>
        {output.module ? (
          <output.module.Output
            operation={operation}
            values={whole}
            shown={shown}
            languages={settings.languages}
            others={output.module.others}
            sending={sending}
            onMessages={setMessages}
          />
        ) : (
          <div class="code">
            <LoadingNote what={say('The request tools')} part={output} />
          </div>
        )}
      </div>
    </FormContext.Provider>
  )
}

function SendButton({ sending: { isRunning, sent, send, stop } }: { readonly sending: ReturnType<typeof useSending> }) {
  const action = isRunning ? say('Stop') : say('Send')
  return (
    <button
      type="button"
      class={isRunning ? 'btn primary stop' : 'btn primary'}
      aria-label={action}
      aria-describedby="play-problems"
      aria-keyshortcuts="Control+Enter Meta+Enter"
      title="Ctrl+Enter"
      onClick={isRunning ? stop : send}
    >
      {action}
      {isRunning && sent && <Elapsed since={sent.startedAt} />}
    </button>
  )
}

/** The time since a request was sent, updated ten times per second. `since` is in ms since 1970. */
function Elapsed({ since }: { readonly since: number }) {
  const [, setCount] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setCount((count) => count + 1), 100)
    return () => clearInterval(timer)
  }, [])
  return <span class="num">{say('{time} s', sayDecimal((Date.now() - since) / 1000))}</span>
}

/** The values of the form. Stored for the next visit of the page. */
function useRememberedValues(operation: DescribedOperation, settings: PlaygroundSettings, memoryKey: string) {
  const [values, setValues] = useState<PlaygroundValues>(() =>
    recallValues(memoryKey, operation, initialValues(operation, settings)),
  )
  useEffect(() => {
    const store = () => rememberValues(memoryKey, operation, values)
    const timer = setTimeout(store, 300)
    // The reader can leave the page before the timer ends.
    addEventListener('pagehide', store)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', store)
    }
  }, [values])
  return [values, setValues] as const
}

/** What the fields of the form share. */
function useForm(
  operation: DescribedOperation,
  setValues: (change: (before: PlaygroundValues) => PlaygroundValues) => void,
  { round, isSent }: { readonly round: number; readonly isSent: boolean },
) {
  const unselected = useMemo<FormContext['unselected']>(() => new Map(), [round])
  const { check, part: checkPart } = useCheck(operation)
  const [messages, setMessages] = useState<FormContext['messages']>({})
  const form = useMemo<FormContext>(
    () => ({
      schemas: operation,
      change: (path, value) => setValues((before) => changeAt(before, path, value)),
      check: (value, schema) => (isEmpty(value) && !isSent ? undefined : check(value, schema)),
      messages,
      unselected,
      Field,
    }),
    [operation, check, isSent, messages, unselected],
  )
  return { form, checkPart, setMessages }
}

/** Returns the values with one of them changed. `part` is `parameters` or `body`. */
function changeAt(
  values: PlaygroundValues,
  [part, ...path]: readonly (string | number)[],
  value: FieldValue | undefined,
): PlaygroundValues {
  if (part === 'body') return { ...values, body: { ...values.body, value: setIn(values.body.value, path, value) } }
  // `setIn` keeps the type of an object's values.
  return { ...values, parameters: setIn(values.parameters, path, value) as PlaygroundValues['parameters'] }
}

/** The title, with a menu of the other operations in the same navigation group. */
function OperationMenu({ title }: { readonly title: string }) {
  const [links] = useState(listNeighborOperations)
  const heading = <h2 id="play-title">{title}</h2>
  if (links.length < 2) return heading
  return (
    <details
      class="menu swap"
      onToggle={({ currentTarget }) => currentTarget.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })}
    >
      <summary>
        {heading} <Icon name="down" />
      </summary>
      <div>
        {links.map(({ href, method, className, title, isCurrent }) => (
          <a href={href} aria-current={isCurrent ? 'page' : undefined}>
            <span class={`m ${className}`}>{method}</span> {title}
          </a>
        ))}
      </div>
    </details>
  )
}

/** Reads the neighboring operations from the page's sidebar. */
function listNeighborOperations() {
  const current = document.querySelector('.side a[aria-current=page]:has(.mm)')
  return [...(current?.closest('ul')?.querySelectorAll<HTMLAnchorElement>(':scope > li > a:has(.mm)') ?? [])].flatMap((link) => {
    const mark = link.querySelector('.mm')
    if (!mark || mark.textContent === 'HOOK') return []
    return {
      href: `${link.href.replace(/#.*/, '')}#try`,
      method: mark.textContent,
      className: mark.className.replace('mm ', ''),
      title: link.textContent.trim().slice(mark.textContent.length),
      isCurrent: link === current,
    }
  })
}

/** Checks single values. The interpreter of schemas is loaded for the first value. */
function useCheck(operation: DescribedOperation): {
  readonly check: FormContext['check']
  readonly part: LazyModule<unknown>
} {
  const part = useLazyModule(getCheck, false)
  const { module, isMissing } = part
  const check = useMemo<FormContext['check']>(
    () => (value, schema) => {
      // If loading has failed, only the reader can start another attempt.
      if (!module && !isMissing) void part.load()
      return module?.checkOwn(value, schema, operation)
    },
    [module, isMissing, operation],
  )
  return { check, part }
}

/** Sends the form with the script from `load`. Sending again or closing the dialog stops the previous request. */
function useSending(
  operation: DescribedOperation,
  values: PlaygroundValues,
  { withCookies, slice }: PlaygroundSettings,
  load: OutputPart['load'],
): Sending {
  const [sent, setSent] = useState<Sent>()
  const [lastAttempt, setLastAttempt] = useState<SendAttempt>()
  const current = useRef<AbortController>(undefined)
  const stop = () => current.current?.abort()
  useEffect(() => stop, [])
  const start = async (relayed?: HttpRequest) => {
    stop()
    const controller = new AbortController()
    current.current = controller
    const { signal } = controller
    const loaded = await load()
    // The reader sent again or closed the dialog while the script was loading.
    if (signal.aborted || !loaded) return
    const options = {
      withCookies,
      hasCredentials:
        hasCredentials(operation.security, values.credentials) ||
        values.extras.some(({ in: location, name, isOn }) => isOn && location === 'header' && secret.test(name)),
      signal,
      // Ignore the response of a request that was replaced.
      onChange: (next: Sent) => {
        if (controller === current.current) setSent(next)
      },
    }
    if (relayed) void loaded.sendRequest({ ...options, request: relayed, slice })
    else setLastAttempt({ isBlocked: loaded.sendValues(operation, values, loaded.others, options) })
  }
  return {
    sent,
    isRunning: sent?.state === 'waiting' || sent?.state === 'reading',
    lastAttempt,
    send: () => start(),
    relay: start,
    stop,
    forget: () => setLastAttempt(undefined),
  }
}

type OutputModule = typeof import('./answer/output.tsx')

type OutputPart = LazyModule<OutputModule & { readonly others: OtherBodies | undefined }>

/** Loads the output panel, and the writers for other bodies if the operation needs them. */
function useOutput(operation: DescribedOperation, isWanted: boolean): OutputPart {
  const get = useMemo(
    () => async () => {
      const [output, others] = await Promise.all([
        import('./answer/output.tsx'),
        needsOtherBodies(operation) ? import('./request/request-body.ts') : undefined,
      ])
      return { ...output, others }
    },
    [operation],
  )
  return useLazyModule(get, isWanted)
}
