import type { Messages } from './english.ts'

export const japanese: Messages = {
  language: 'ja',
  client: {
    page: {
      copied: 'コピーしました',
      copyFailed: 'コピーできませんでした',
      collapseAll: 'すべて折りたたむ',
      expandAll: 'すべて展開',
      playgroundFailed: 'プレイグラウンドを読み込めませんでした。接続を確認して、もう一度お試しください。',
    },
  },
  playground: {
    title: 'プレイグラウンド',
  },
}
