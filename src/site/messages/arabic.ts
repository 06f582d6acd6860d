import type { Messages } from './english.ts'

export const arabic: Messages = {
  language: 'ar',
  client: {
    page: {
      copied: 'تم النسخ',
      copyFailed: 'تعذّر النسخ',
      collapseAll: 'طيّ الكل',
      expandAll: 'توسيع الكل',
      playgroundFailed: 'تعذّر تحميل ساحة التجربة. تحقّق من اتصالك ثم أعد المحاولة.',
    },
  },
  playground: {
    title: 'ساحة التجربة',
  },
}
