import { useEffect, useState } from 'preact/hooks'
import { LoadingNote, useLazyModule } from '../controls/loading.tsx'
import { Icon, IconButton } from '../controls/pieces.tsx'
import { say } from '../controls/playground-messages.ts'
import type { PlaygroundValues } from '../controls/types.ts'
import type { DescribedOperation } from '../request/read-operation.ts'
import type { OtherBodies } from '../request/request-body.ts'
import { highlightSample, type SampleLanguage, sampleLanguages } from '../samples/sample-languages.ts'
import { toCurl } from '../samples/to-curl.ts'
import { toRequest } from '../send/to-request.ts'

/** The languages that have a tab by default. */
const defaultLanguages: readonly SampleLanguage[] = ['bash', 'javascript', 'python', 'go']

export interface SamplesPanelProps {
  readonly operation: DescribedOperation
  readonly values: PlaygroundValues
  /** Keys of languages, written by the build; `undefined` for all languages. */
  readonly languages: readonly string[] | undefined
  readonly others: OtherBodies | undefined
}

/** Delay between the last keystroke and an update of the sample, in ms. */
const updateDelay = 80

const getOtherSamples = () => import('../samples/other-samples.ts')

/** Code samples: generated ones that follow the form, and fixed ones from the document. The selected language applies to every page. */
export function SamplesPanel({ operation, values, languages, others }: SamplesPanelProps) {
  const [shown, setShown] = useState(values)
  useEffect(() => {
    const timer = setTimeout(() => setShown(values), updateDelay)
    return () => clearTimeout(timer)
  }, [values])
  const tabs = (languages as readonly SampleLanguage[] | undefined) ?? defaultLanguages
  // `Object.keys` returns `string[]`.
  const rarer = (Object.keys(sampleLanguages) as SampleLanguage[]).filter((one) => !languages && !defaultLanguages.includes(one))
  const [chosen, setChosen] = useState(readLanguage)
  const [documentSamples] = useState(listDocumentSamples)
  const [sampleIndex, setSampleIndex] = useState(-1)
  const written = documentSamples[sampleIndex]
  const language = [...tabs, ...rarer].find((one) => sampleLanguages[one] === chosen) ?? tabs[0] ?? 'bash'
  const label = sampleLanguages[language]
  const writers = useLazyModule(getOtherSamples, language !== 'bash' && !written)
  const write = language === 'bash' ? toCurl : writers.module?.otherSamples[language]
  const { request } = toRequest(operation, shown, { base: location.href, purpose: 'show', others })
  return (
    <div class="code">
      <div class="tabs" data-sync="lang">
        <fieldset>
          <legend class="vh">{say('Sample language')}</legend>
          {tabs.map((one) => (
            <label>
              {/* The page's script stores the choice for all pages. */}
              <input
                type="radio"
                name="play-language"
                value={sampleLanguages[one]}
                checked={one === language && !written}
                onChange={() => {
                  setSampleIndex(-1)
                  setChosen(sampleLanguages[one])
                }}
              />{' '}
              {sampleLanguages[one]}
            </label>
          ))}
          {rarer.length + documentSamples.length > 0 && (
            <span class="has-pick">
              <select
                class="pick"
                aria-label={say('Other languages')}
                value={written ? sampleIndex : rarer.includes(language) ? label : ''}
                onChange={({ currentTarget: { value } }) => {
                  setSampleIndex(/^\d/.test(value) ? Number(value) : -1)
                  if (/^\d/.test(value)) return
                  setChosen(value)
                  storeLanguage(value)
                }}
              >
                <option value="" disabled>
                  {say('More')}
                </option>
                {rarer.map((one) => (
                  <option>{sampleLanguages[one]}</option>
                ))}
                {documentSamples.length > 0 && (
                  <optgroup label={say('From the OpenAPI document')}>
                    {documentSamples.map(({ label }, index) => (
                      <option value={index}>{label}</option>
                    ))}
                  </optgroup>
                )}
              </select>
              <Icon name="down" />
            </span>
          )}
        </fieldset>
        <IconButton icon="copy" class="btn quiet icon copy" data-copy="" label={say('Copy sample')} />
        {written && <p class="fail">{say('This sample comes from the OpenAPI document and does not follow your input.')}</p>}
        {written || write ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard
          <pre tabIndex={0} role="group" aria-label={say('{language} sample', written?.label ?? label)}>
            {written ? (
              <code dangerouslySetInnerHTML={{ __html: written.html }} />
            ) : (
              <code>
                {write &&
                  highlightSample(language, write(request)).map(({ text, color }) =>
                    color ? <span class={color}>{text}</span> : text,
                  )}
              </code>
            )}
          </pre>
        ) : (
          <LoadingNote what={say('The {language} sample', label)} part={writers} />
        )}
      </div>
    </div>
  )
}

/** Samples on the page that come from the document (`x-codeSamples`). */
function listDocumentSamples(): readonly { readonly label: string | undefined; readonly html: string }[] {
  return [...document.querySelectorAll<HTMLElement>('#samples [data-written]')].map((one) => ({
    label: one.dataset['written'],
    // Rendered by the build, with the colors of the page.
    html: one.querySelector('code')?.innerHTML ?? '',
  }))
}

/** The selected language, as the page's script stores it. */
function readLanguage(): string | null {
  try {
    return localStorage.getItem('choice:lang')
  } catch {
    return null
  }
}

function storeLanguage(label: string): void {
  try {
    localStorage.setItem('choice:lang', label)
  } catch {
    // Storage is blocked. The choice lasts until the reader leaves the page.
  }
}
