import type { Messages } from './english.ts'

export const hebrew: Messages = {
  language: 'he',
  client: {
    page: {
      copied: 'הועתק',
      copyFailed: 'ההעתקה נכשלה',
      collapseAll: 'כיווץ הכול',
      expandAll: 'הרחבת הכול',
      playgroundFailed: 'לא ניתן לטעון את סביבת הניסוי. בדקו את החיבור ונסו שוב.',
    },
  },
  playground: {
    title: 'סביבת ניסוי',
  },
}
