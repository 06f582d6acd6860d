import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { toCurl } from '../request/samples/to-curl.ts'
import { AnswerView } from './answer/answer-view.tsx'
import { Authentication } from './authentication/authentication.tsx'
import { useCredentials } from './authentication/use-credentials.ts'
import { BodySection } from './body-section.tsx'
import { FormContext, idOf } from './fields/form-context.ts'
import { Icon } from './icon.tsx'
import { initialValues } from './initial-values.ts'
import { ParameterSections } from './parameter-sections.tsx'
import { forgetValues, recallValues, rememberValues } from './remember-values.ts'
import { listHolds, problemsId, RequestProblems } from './request-problems.tsx'
import { SamplesPanel } from './samples-panel.tsx'
import { useSending } from './send/use-sending.ts'
import { ServerFields } from './servers/server-fields.tsx'
import { chooseServer, toServerUrl } from './servers/to-server-url.ts'
import { setIn } from './set-in.ts'
import { SwapMenu } from './swap-menu.tsx'
import { toRequest } from './to-request.ts'
import type { FieldValue, PlaygroundOperation, PlaygroundSettings, PlaygroundValues } from './types.ts'
import { UrlBar } from './url-bar.tsx'

interface PlaygroundProps {
  readonly operation: PlaygroundOperation
  readonly settings: PlaygroundSettings
  /** What was typed is kept by it for the tab. */
  readonly memoryKey: string
  readonly onClose: () => void
}

/** What stands in the dialog: the request to fill in, and what comes of it. */
export function Playground({ operation, settings, memoryKey, onClose }: PlaygroundProps) {
  const [values, setValues] = useState<PlaygroundValues>(() =>
    recallValues(memoryKey, operation, initialValues(operation, settings)),
  )
  /** A form that is reset begins anew, with what it has folded and opened. */
  const [round, setRound] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => rememberValues(memoryKey, values), 300)
    return () => clearTimeout(timer)
  }, [values])
  const reset = () => {
    forgetValues(memoryKey)
    setValues(({ credentials }) => ({ ...initialValues(operation, settings), credentials }))
    setRound(round + 1)
    setTries({ count: 0, isHeld: false })
  }
  const { servers, security } = operation
  const address = toServerUrl(chooseServer(servers, values.server), values.server.variables, location.href)
  const origin = address && URL.canParse(address) ? new URL(address).origin : ''
  const kept = useCredentials(security, origin)
  /** With the credentials for the server that is chosen, and no others. */
  const whole = { ...values, credentials: kept.credentials }
  const { alternative } = kept.credentials
  const shown = useMemo(() => ({ ...values, credentials: { alternative, byScheme: {} } }), [values, alternative])
  const sending = useSending(operation, whole, settings)
  const change = useCallback((part: Partial<PlaygroundValues>) => setValues((before) => ({ ...before, ...part })), [])
  const { problems } = toRequest(operation, whole, { base: location.href, purpose: 'send' })
  const holds = listHolds(problems)
  /** The tries to send it, and whether the last one was held back. */
  const [tries, setTries] = useState({ count: 0, isHeld: false })
  const part = useRef<HTMLDivElement>(null)
  const send = () => {
    setTries({ count: tries.count + 1, isHeld: holds.length > 0 })
    if (holds.length === 0) sending.send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
  }
  useEffect(() => {
    const [hold] = holds
    if (!tries.isHeld || !hold) return
    // The fields were drawn with what is told of them; the server has no field where it has no variables.
    const field = hold.at === 'server' ? '.form [aria-invalid]' : `[aria-describedby="${idOf(['parameters', hold.at])}-fault"]`
    part.current?.closest('dialog')?.querySelector<HTMLElement>(field)?.focus()
  }, [tries])
  const told = JSON.stringify(
    Object.fromEntries(
      problems
        .filter(({ kind }) => kind === 'impossible' || (tries.count > 0 && kind === 'missing'))
        .map(({ at, message }) => [at, `${message.replaceAll('`', '')}.`]),
    ),
  )
  const form = useMemo<FormContext>(
    () => ({
      resolve: operation.resolve,
      change: (path, value) => setValues((before) => changeAt(before, path, value)),
      // As it was made above.
      told: JSON.parse(told) as FormContext['told'],
    }),
    [operation, told],
  )
  return (
    <FormContext.Provider value={form}>
      <div class="bar">
        <SwapMenu title={operation.title} />
        <button type="button" class="btn quiet reset" onClick={reset}>
          Reset
        </button>
        <button type="button" class="btn quiet icon" aria-label="Close" onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      <UrlBar operation={operation} values={values} onChange={change} onKeyDown={onKeyDown}>
        <button type="button" class="btn primary" aria-describedby={problemsId} onClick={sending.isRunning ? sending.stop : send}>
          {sending.isRunning ? 'Stop' : 'Send'}
        </button>
      </UrlBar>
      <div class="form" ref={part} key={round} role="group" aria-label="Request" onKeyDown={onKeyDown}>
        <ServerFields servers={servers} value={values.server} onChange={(server) => change({ server })} />
        <Authentication security={security} kept={kept} origin={origin} />
        <ParameterSections operation={operation} values={values} />
        <BodySection operation={operation} values={values} onChange={change} />
      </div>
      <div class="out" role="group" aria-label="Sample and response">
        <RequestProblems problems={problems} wasTried={tries.count > 0} isHeld={tries.isHeld} />
        {/* Without what is typed: samples are copied to where credentials should not be. */}
        <SamplesPanel operation={operation} values={shown} languages={settings.languages} />
        <AnswerView sent={sending.sent} onStop={sending.stop} curl={() => (sending.sent ? toCurl(sending.sent.request) : '')} />
      </div>
    </FormContext.Provider>
  )
}

/** Fields stand under `parameters` and `body`. */
function changeAt(
  values: PlaygroundValues,
  [part, ...path]: readonly (string | number)[],
  value: FieldValue | undefined,
): PlaygroundValues {
  if (part === 'body') return { ...values, body: { ...values.body, value: setIn(values.body.value, path, value) } }
  // By their keys, as they were.
  return { ...values, parameters: setIn(values.parameters, path, value) as PlaygroundValues['parameters'] }
}
