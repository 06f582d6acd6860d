import { useEffect, useState } from 'preact/hooks'
import { toCurl } from '../request/samples/to-curl.ts'
import { toGo } from '../request/samples/to-go.ts'
import { toJavaScript } from '../request/samples/to-javascript.ts'
import { toPython } from '../request/samples/to-python.ts'
import { Icon } from './icon.tsx'
import { toRequest } from './to-request.ts'
import type { PlaygroundOperation, PlaygroundValues } from './types.ts'

const languages = [
  { label: 'curl', write: toCurl },
  { label: 'JavaScript', write: toJavaScript },
  { label: 'Python', write: toPython },
  { label: 'Go', write: toGo },
] as const

interface SamplesPanelProps {
  readonly operation: PlaygroundOperation
  readonly values: PlaygroundValues
}

/** Rest after the last key before the sample is written again, in ms. */
const pause = 80

/** The request as code, following what is typed. The language is that of the page's own samples, wherever it is chosen. */
export function SamplesPanel({ operation, values }: SamplesPanelProps) {
  const [shown, setShown] = useState(values)
  useEffect(() => {
    const timer = setTimeout(() => setShown(values), pause)
    return () => clearTimeout(timer)
  }, [values])
  const [chosen, choose] = useState(readChoice)
  const language = languages.find(({ label }) => label === chosen) ?? languages[0]
  const { request } = toRequest(operation, shown, { base: location.href, purpose: 'show' })
  return (
    <div class="code">
      <div class="tabs" data-sync="lang">
        <fieldset>
          <legend class="vh">Language of the sample</legend>
          {languages.map(({ label }) => (
            <label>
              {/* The page's script keeps the choice, for every page. */}
              <input
                type="radio"
                name="play-language"
                value={label}
                checked={label === language.label}
                onChange={() => choose(label)}
              />{' '}
              {label}
            </label>
          ))}
        </fieldset>
        <button type="button" class="btn quiet icon copy" data-copy="" aria-label="Copy the sample">
          <Icon name="copy" />
        </button>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
        <pre tabIndex={0} role="group" aria-label={`Sample in ${language.label}`}>
          <code>{colorTexts(language.write(request))}</code>
        </pre>
      </div>
    </div>
  )
}

/** Texts in quotes stand out; the languages have the same two kinds. */
function colorTexts(code: string) {
  if (code.length > maxColored) return code
  return code
    .split(/('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/)
    .map((part, index) => (index % 2 === 1 ? <span class="s">{part}</span> : part))
}

const maxColored = 20_000

/** As the page's script keeps it. */
function readChoice(): string | null {
  try {
    return localStorage.getItem('choice:lang')
  } catch {
    return null
  }
}
