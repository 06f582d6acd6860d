import { feedbackLimits } from '../messages/feedback-format.ts'

// Sends feedback, on the pages of sites with `site.feedback`.

/** How long a reader does not type before a search without results is sent. */
const pauseMs = 2_000

const url = document.querySelector<HTMLMetaElement>('meta[name=feedback]')?.content ?? ''
const form = document.querySelector<HTMLFormElement>('form.feedback')
if (form) sendAnswers(form)
sendMissedSearches()

async function send(message: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  // `keepalive`, because the reader may leave the page.
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message), keepalive: true })
  if (!response.ok) throw new Error(String(response.status))
}

/** Sends one answer, and then its comment. After a failure, the same button tries again. */
function sendAnswers(asked: HTMLFormElement): void {
  const { thanks = '', failed = '' } = asked.dataset
  const page = asked.querySelector('input')?.value
  const status = asked.querySelector('p')
  const more = asked.querySelector('div')
  const text = asked.querySelector('textarea')
  const answers = asked.querySelectorAll<HTMLButtonElement>('fieldset button')
  const sender = more?.querySelector('button')
  if (!status || !more || !text || !sender) return
  let answer = ''
  let isCounted = false
  asked.addEventListener('submit', async (event) => {
    event.preventDefault()
    const isComment = event.submitter === sender
    if (!isComment && event.submitter instanceof HTMLButtonElement) answer = event.submitter.value
    const comment = text.value.trim()
    for (const button of answers) {
      button.disabled = true
      button.ariaPressed = String(button.value === answer)
    }
    sender.disabled = true
    status.textContent = ''
    // Shown at once, because later it would count as a shift of the layout.
    more.hidden = false
    try {
      if (!isCounted) await send({ page, answer })
      isCounted = true
      if (isComment && comment !== '') {
        await send({ page, answer, comment })
        text.disabled = true
      }
      status.textContent = thanks
    } catch {
      status.textContent = failed
      for (const button of answers) button.disabled = isCounted
    }
    sender.disabled = text.disabled
  })
}

/** Sends each search without results once, when the reader pauses, closes the search or leaves the page. */
function sendMissedSearches(): void {
  const sent = new Set<string>()
  let missed = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const report = () => {
    clearTimeout(timer)
    const search = missed.slice(0, feedbackLimits.search)
    missed = ''
    if (search === '' || sent.has(search)) return
    sent.add(search)
    send({ search }).catch(() => {})
  }
  // Before the search, which can answer at once. Escape first empties the field.
  document.addEventListener(
    'input',
    ({ target }) => {
      if (target instanceof HTMLInputElement && target.value === '') report()
      missed = ''
    },
    true,
  )
  document.addEventListener('search-miss', (event) => {
    missed = (event as CustomEvent<string>).detail // By search.ts.
    clearTimeout(timer)
    timer = setTimeout(report, pauseMs)
  })
  document.addEventListener('close', report, true)
  addEventListener('pagehide', report)
}
