import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { asksForCredentials, getAuthentication } from './authentication/load-authentication.ts'
import { useCredentials } from './authentication/use-credentials.ts'
import { BodySection } from './body-section.tsx'
import { FormContext } from './fields/form-context.ts'
import { Icon } from './icon.tsx'
import { initialValues } from './initial-values.ts'
import { ParameterSections } from './parameter-sections.tsx'
import { forgetValues, recallValues, rememberValues } from './remember-values.ts'
import { useSending } from './send/use-sending.ts'
import { ServerSection } from './servers/server-picker.tsx'
import { chooseServer, toServerUrl } from './servers/to-server-url.ts'
import { setIn } from './set-in.ts'
import { SwapMenu } from './swap-menu.tsx'
import type { FieldValue, PlaygroundOperation, PlaygroundSettings, PlaygroundValues } from './types.ts'
import { UrlBar } from './url-bar.tsx'
import { useCheck } from './use-check.ts'
import { useOutput } from './use-output.ts'
import { PartNote, usePart } from './use-part.tsx'
import { useStages } from './use-stages.ts'

interface PlaygroundProps {
  readonly operation: PlaygroundOperation
  readonly settings: PlaygroundSettings
  /** What was typed is kept by it for the tab. */
  readonly memoryKey: string
  readonly onClose: () => void
  /** Called when all fields are there. */
  readonly onForm: () => void
}

/** The bar with the address, what is asked for besides the body, the body, and then what comes of it. */
const stages = 3

/** What stands in the dialog: the request to fill in, and what comes of it. */
export function Playground({ operation, settings, memoryKey, onClose, onForm }: PlaygroundProps) {
  const [values, setValues] = useState<PlaygroundValues>(() =>
    recallValues(memoryKey, operation, initialValues(operation, settings)),
  )
  // Without parameters and credentials there is nothing to wait for before the body.
  const stage = useStages(operation.parameters.length + operation.security.length > 0 ? 0 : 1, stages)
  useEffect(() => {
    if (stage >= 2) onForm()
  }, [stage >= 2])
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
    sending.forget()
  }
  const { servers, security } = operation
  const address = toServerUrl(chooseServer(servers, values.server), values.server.variables, location.href)
  const origin = address && URL.canParse(address) ? new URL(address).origin : ''
  const kept = useCredentials(security, origin)
  /** With the credentials for the server that is chosen, and no others. */
  const whole = { ...values, credentials: kept.credentials }
  const authentication = usePart(getAuthentication, asksForCredentials(operation))
  const { alternative } = kept.credentials
  const shown = useMemo(() => ({ ...values, credentials: { alternative, byScheme: {} } }), [values, alternative])
  const output = useOutput(operation, stage === stages)
  const sending = useSending(operation, whole, settings, output.load)
  const change = useCallback((part: Partial<PlaygroundValues>) => setValues((before) => ({ ...before, ...part })), [])
  const { check, part: checkPart } = useCheck(operation.resolve)
  const [told, setTold] = useState<FormContext['told']>({})
  const form = useMemo<FormContext>(
    () => ({
      resolve: operation.resolve,
      change: (path, value) => setValues((before) => changeAt(before, path, value)),
      check,
      told,
    }),
    [operation, check, told],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) sending.send()
  }
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
        <button
          type="button"
          class="btn primary"
          aria-describedby="play-problems"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          title="Ctrl+Enter"
          onClick={sending.isRunning ? sending.stop : sending.send}
        >
          {sending.isRunning ? 'Stop' : 'Send'}
        </button>
      </UrlBar>
      <div class="form" key={round} role="group" aria-label="Request" aria-busy={stage < 2} onKeyDown={onKeyDown}>
        {stage >= 1 && (
          <>
            <ServerSection servers={servers} value={values.server} onChange={(server) => change({ server })} />
            {asksForCredentials(operation) &&
              (authentication.module ? (
                <authentication.module.Authentication security={security} kept={kept} origin={origin} />
              ) : (
                <PartNote what="Authorization" part={authentication} />
              ))}
            <ParameterSections operation={operation} values={values} />
          </>
        )}
        {stage >= 2 && <BodySection operation={operation} values={values} onChange={change} />}
        {checkPart.isMissing && <PartNote what="The check of what is typed" part={checkPart} />}
      </div>
      <div class="out" role="group" aria-label="Sample and response" onKeyDown={onKeyDown}>
        {output.module ? (
          <output.module.Output
            operation={operation}
            values={whole}
            shown={shown}
            languages={settings.languages}
            others={output.module.others}
            sending={sending}
            onTold={setTold}
          />
        ) : (
          <div class="code">
            <PartNote what="Samples and sending" part={output} />
          </div>
        )}
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
