import { feedbackLimits } from '../../messages/feedback-format.ts'
import type { SitePage } from '../../plan/types.ts'
import { type SiteContext, toHref } from '../site-context.ts'

/**
 * Asks readers about a page, with `site.feedback`. A script sends the answers as JSON: each one at once, and again with its comment, which is
 * shown after the answer. There are no identifiers.
 */
export function FeedbackForm({ context, page }: { readonly context: SiteContext; readonly page: SitePage }) {
  // Parts of schemas have pages that are not in the plan.
  if (context.plan.settings.site.feedback === false || context.plan.pageByRoute.get(page.route) !== page) return null
  const texts = context.messages.feedback
  return (
    <form class="feedback needs-js" data-thanks={texts.thanks} data-failed={texts.failed}>
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
