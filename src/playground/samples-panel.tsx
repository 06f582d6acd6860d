import { useEffect, useState } from 'preact/hooks'
import type { otherSamples } from '../request/samples/other-samples.ts'
import { findSampleLanguage, type SampleLanguage, sampleLanguages } from '../request/samples/sample-languages.ts'
import { usualSamples } from '../request/samples/usual-samples.ts'
import { highlightSample } from './highlight-sample.ts'
import { Icon } from './icon.tsx'
import { toRequest } from './to-request.ts'
import type { PlaygroundOperation, PlaygroundValues } from './types.ts'

interface SamplesPanelProps {
  readonly operation: PlaygroundOperation
  readonly values: PlaygroundValues
  /** Those of docs.json; all where it names none. */
  readonly languages: readonly string[] | undefined
}

/** Rest after the last key before the sample is written again, in ms. */
const pause = 80
/** Languages that have a tab; more are in a list. */
const maxTabs = 4

/** The request as code, following what is typed. The language is that of the page's own samples, wherever it is chosen. */
export function SamplesPanel({ operation, values, languages }: SamplesPanelProps) {
  const [shown, setShown] = useState(values)
  useEffect(() => {
    const timer = setTimeout(() => setShown(values), pause)
    return () => clearTimeout(timer)
  }, [values])
  const [chosen, choose] = useState(readChoice)
  const keys = listLanguages(languages)
  const language = keys.find((key) => sampleLanguages[key].label === chosen) ?? keys[0] ?? 'bash'
  const write = useWriter(language)
  const { request } = toRequest(operation, shown, { base: location.href, purpose: 'show' })
  const tabs = keys.length > maxTabs + 1 ? keys.slice(0, maxTabs) : keys
  const rest = keys.slice(tabs.length)
  return (
    <div class="code">
      <div class="tabs" data-sync="lang">
        <fieldset>
          <legend class="vh">Language of the sample</legend>
          {tabs.map((key) => (
            <label>
              {/* The page's script keeps the choice, for every page. */}
              <input
                type="radio"
                name="play-language"
                value={sampleLanguages[key].label}
                checked={key === language}
                onChange={() => choose(sampleLanguages[key].label)}
              />{' '}
              {sampleLanguages[key].label}
            </label>
          ))}
        </fieldset>
        {rest.length > 0 && (
          <span class="has-pick">
            <select
              class="pick"
              aria-label="More languages"
              value={rest.includes(language) ? language : ''}
              onChange={({ currentTarget }) => {
                const key = findSampleLanguage(currentTarget.value)
                if (key) choose(keepChoice(sampleLanguages[key].label))
              }}
            >
              <option value="" disabled>
                More
              </option>
              {rest.map((key) => (
                <option value={key}>{sampleLanguages[key].label}</option>
              ))}
            </select>
          </span>
        )}
        <button type="button" class="btn quiet icon copy" data-copy="" aria-label="Copy the sample">
          <Icon name="copy" />
        </button>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
        <pre tabIndex={0} role="group" aria-label={`Sample in ${sampleLanguages[language].label}`}>
          <code>
            {write === 'failed'
              ? 'Cannot load this language: check the connection, and choose it again'
              : write &&
                highlightSample(language, write(request)).map(({ text, color }) =>
                  color === undefined ? text : <span class={color}>{text}</span>,
                )}
          </code>
        </pre>
      </div>
    </div>
  )
}

function listLanguages(names: readonly string[] | undefined): SampleLanguage[] {
  const known = names?.flatMap((name) => findSampleLanguage(name) ?? []) ?? []
  return [...new Set(known.length > 0 ? known : Object.keys(sampleLanguages).flatMap((name) => findSampleLanguage(name) ?? []))]
}

/** What writes a language; absent while it is loaded. */
function useWriter(language: SampleLanguage) {
  const [others, setOthers] = useState<typeof otherSamples>()
  const [failed, setFailed] = useState<SampleLanguage>()
  const isHere = usualSamples[language] !== undefined || others !== undefined
  useEffect(() => {
    if (isHere) return
    setFailed(undefined)
    import('../request/samples/other-samples.ts').then(
      (loaded) => setOthers(loaded.otherSamples),
      () => setFailed(language),
    )
  }, [language, isHere])
  return failed === language ? 'failed' : (usualSamples[language] ?? others?.[language])
}

/** As the page's script keeps it. */
function readChoice(): string | null {
  try {
    return localStorage.getItem('choice:lang')
  } catch {
    return null
  }
}

/** The script keeps what is chosen by a tab. */
function keepChoice(label: string): string {
  try {
    localStorage.setItem('choice:lang', label)
  } catch {
    // Nothing is kept where the reader's browser keeps nothing.
  }
  return label
}
