import { useMemo, useState } from 'preact/hooks'
import type { Answer } from '../send/sent.ts'
import { PartNote, usePart } from '../use-part.tsx'
import { JsonTree } from './json-tree.tsx'
import { parseTree } from './parse-tree.ts'
import { Words } from './words.tsx'

export type AnswerPart = (typeof parts)[number]

const parts = ['Body', 'Headers', 'Raw'] as const

const getOtherAnswers = () => import('./other-answers.tsx')

/** What came: its content in the form that fits it, its headers, and its text as it is. */
export function AnswerParts({ answer, isWhole }: { readonly answer: Answer; readonly isWhole: boolean }) {
  const [part, setPart] = useState<AnswerPart>('Body')
  const hasRaw = answer.reading === 'json' || answer.reading === 'events' || answer.reading === 'lines'
  return (
    <div class="tabs parts">
      {answer.redirectedTo && (
        <p class="fail">
          <Words text={`Redirected to \`${answer.redirectedTo}\``} />
        </p>
      )}
      <fieldset>
        <legend class="vh">Parts of the response</legend>
        {parts
          .filter((one) => hasRaw || one !== 'Raw')
          .map((one) => (
            <label>
              <input type="radio" name="part" checked={part === one} onChange={() => setPart(one)} /> {one}
            </label>
          ))}
      </fieldset>
      <section>
        <Content part={part} answer={answer} isWhole={isWhole} />
      </section>
    </div>
  )
}

/** JSON comes with what shows any answer, the rest with what it is of. */
function Content(props: { readonly part: AnswerPart; readonly answer: Answer; readonly isWhole: boolean }) {
  const { part, answer, isWhole } = props
  const { reading, text, size, isCut } = answer
  const root = useMemo(
    () => (reading === 'json' && isWhole && !isCut ? parseTree(text) : undefined),
    [reading, isWhole, isCut, text],
  )
  const isShown = part === 'Body' && (size === 0 || root !== undefined)
  const others = usePart(getOtherAnswers, !isShown)
  if (isShown && size === 0) return <p class="fail">{isWhole ? 'The answer has no content.' : 'Nothing has come yet.'}</p>
  if (isShown && root) return <JsonTree root={root} source={text} />
  return others.module ? <others.module.OtherAnswer {...props} /> : <PartNote what="What shows this answer" part={others} />
}
