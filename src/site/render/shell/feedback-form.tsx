import { feedbackLimits, feedbackPath } from '../../request/feedback-format.ts'
import { type SiteContext, toHref } from '../site-context.ts'
import type { SitePage } from '../types.ts'

interface FeedbackFormProps {
  readonly context: SiteContext
  readonly page: SitePage
}

/**
 * Asks readers about a page, with `site.feedback`. Without scripts, the form sends the answer to the app; other servers need a script. The comment is
 * shown after the answer.
 */
export function FeedbackForm({ context, page }: FeedbackFormProps) {
  const { feedback } = context.plan.settings
  // Parts of schemas have pages that are not in the plan.
  if (feedback === undefined || context.pageByRoute.get(page.route) !== page) return null
  const isForApp = feedback === feedbackPath
  const texts = context.messages.feedback
  return (
    <form
      class={isForApp ? 'feedback' : 'feedback needs-js'}
      method={isForApp ? 'post' : undefined}
      action={isForApp ? feedback : undefined}
      data-thanks={texts.thanks}
      data-failed={texts.failed}
    >
      <input type="hidden" name="page" value={toHref({ base: '/' }, page.route)} />
      <fieldset>
        <legend>{texts.question}</legend>
        <button type="submit" class="btn" name="answer" value="yes">
          {texts.yes}
        </button>
        <button type="submit" class="btn" name="answer" value="no">
          {texts.no}
        </button>
      </fieldset>
      <p role="status" />
      <div hidden>
        <label>
          {texts.comment}
          <textarea name="comment" rows={3} maxLength={feedbackLimits.comment} />
        </label>
        <button type="submit" class="btn">
          {texts.send}
        </button>
      </div>
    </form>
  )
}
