import { useEffect, useMemo, useState } from 'preact/hooks'
import { findSampleLanguage, type SampleLanguage, sampleLanguages } from '../request/samples/sample-languages.ts'
import { PartNote, usePart } from './loading.tsx'
import type { OtherBodies } from './other-bodies.ts'
import { Icon } from './pieces.tsx'
import { highlightSample, toLoadWriter } from './sample-code.ts'
import { toRequest } from './to-request.ts'
import type { PlaygroundOperation, PlaygroundValues } from './types.ts'

/** The same as on the page. */
const usual: readonly SampleLanguage[] = ['bash', 'javascript', 'python', 'go']

interface SamplesPanelProps {
  readonly operation: PlaygroundOperation
  readonly values: PlaygroundValues
  /** The languages that docs.json names; `undefined` for all. */
  readonly languages: readonly string[] | undefined
  readonly others: OtherBodies | undefined
}

/** Delay between the last keystroke and an update of the sample, in ms. */
const pause = 80

/** The request as code, updated while typing, and the samples of the document, which do not change. The language is shared with the samples of the pages. */
export function SamplesPanel({ operation, values, languages, others }: SamplesPanelProps) {
  const [shown, setShown] = useState(values)
  useEffect(() => {
    const timer = setTimeout(() => setShown(values), pause)
    return () => clearTimeout(timer)
  }, [values])
  const asked = [...new Set(languages?.flatMap((name) => findSampleLanguage(name) ?? []))]
  const tabs = asked.length > 0 ? asked : usual
  // Object.keys returns strings.
  const rarer = asked.length > 0 ? [] : (Object.keys(sampleLanguages) as SampleLanguage[]).filter((one) => !usual.includes(one))
  const [chosen, setChosen] = useState(readChoice)
  const [byHand] = useState(listWritten)
  const [hand, setHand] = useState(-1)
  const written = byHand[hand]
  const language = [...tabs, ...rarer].find((one) => sampleLanguages[one].label === chosen) ?? tabs[0] ?? 'bash'
  const { label } = sampleLanguages[language]
  const writer = usePart(
    useMemo(() => toLoadWriter(language), [language]),
    !written,
  )
  const { request } = toRequest(operation, shown, { base: location.href, purpose: 'show', others })
  return (
    <div class="code">
      <div class="tabs" data-sync="lang">
        <fieldset>
          <legend class="vh">Language of the sample</legend>
          {tabs.map((one) => (
            <label>
              {/* The page's script keeps the choice, for every page. */}
              <input
                type="radio"
                name="play-language"
                value={sampleLanguages[one].label}
                checked={one === language && !written}
                onChange={() => {
                  setHand(-1)
                  setChosen(sampleLanguages[one].label)
                }}
              />{' '}
              {sampleLanguages[one].label}
            </label>
          ))}
          {rarer.length + byHand.length > 0 && (
            <span class="has-pick">
              <select
                class="pick"
                aria-label="Other languages"
                value={written ? hand : rarer.includes(language) ? label : ''}
                onChange={({ currentTarget: { value } }) => {
                  setHand(/^\d/.test(value) ? Number(value) : -1)
                  if (/^\d/.test(value)) return
                  setChosen(value)
                  keepChoice(value)
                }}
              >
                <option value="" disabled>
                  More
                </option>
                {rarer.map((one) => (
                  <option>{sampleLanguages[one].label}</option>
                ))}
                {byHand.length > 0 && (
                  <optgroup label="Written by hand">
                    {byHand.map(({ label }, index) => (
                      <option value={index}>{label}</option>
                    ))}
                  </optgroup>
                )}
              </select>
              <Icon name="down" />
            </span>
          )}
        </fieldset>
        <button type="button" class="btn quiet icon copy" data-copy="" aria-label="Copy the sample">
          <Icon name="copy" />
        </button>
        {written && <p class="fail">Written by hand for this operation: it does not follow what is typed.</p>}
        {written || writer.module ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content has to be reachable with the keyboard
          <pre tabIndex={0} role="group" aria-label={`Sample in ${written?.label ?? label}`}>
            <code>
              {written
                ? written.code
                : writer.module &&
                  highlightSample(language, writer.module(request)).map(({ text, color }) =>
                    color ? <span class={color}>{text}</span> : text,
                  )}
            </code>
          </pre>
        ) : (
          <PartNote what={`The sample in ${label}`} part={writer} />
        )}
      </div>
    </div>
  )
}

/** Samples on the page that come from the document (`x-codeSamples`). */
function listWritten(): readonly { readonly label: string | undefined; readonly code: string }[] {
  return [...document.querySelectorAll<HTMLElement>('#samples [data-written]')].map((one) => ({
    label: one.dataset['written'],
    code: one.querySelector('pre')?.textContent ?? '',
  }))
}

/** The choice as the page's script stores it. */
function readChoice(): string | null {
  try {
    return localStorage.getItem('choice:lang')
  } catch {
    return null
  }
}

function keepChoice(label: string): void {
  try {
    localStorage.setItem('choice:lang', label)
  } catch {
    // Storage can be blocked: the choice lasts as long as the page.
  }
}
