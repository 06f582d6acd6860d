import { useEffect, useState } from 'preact/hooks'
import { AnswerView } from './answer/answer-view.tsx'
import { EarlierAnswers } from './answer/earlier-answers.tsx'
import type { FormContext } from './fields/form-context.ts'
import { keepFocus } from './keep-focus.ts'
import type { OtherBodies } from './other-bodies.ts'
import { RequestProblems } from './request-problems.tsx'
import { SamplesPanel } from './samples-panel.tsx'
import type { Sent } from './send/sent.ts'
import type { Sending } from './send/use-sending.ts'
import type { PlaygroundOperation, PlaygroundValues } from './types.ts'

export { sendValues } from './send/send-values.ts'

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
