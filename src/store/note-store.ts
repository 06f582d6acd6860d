import type { StoreContext } from './store-context.ts'
import type { NoteStore } from './types.ts'

export function createNoteStore({ reader, write }: StoreContext): NoteStore {
  return {
    async read(name) {
      const row = await reader.selectFrom('facts').select('value').where('name', '=', name).executeTakeFirst()
      return row?.value
    },

    async write(name, value) {
      await write(async (transaction) => {
        if (value === undefined) await transaction.deleteFrom('facts').where('name', '=', name).execute()
        else {
          await transaction
            .insertInto('facts')
            .values({ name, value })
            .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
            .execute()
        }
      })
    },

    async readLooks() {
      const rows = await reader.selectFrom('repository_looks').selectAll().execute()
      return new Map(rows.map((row) => [row.repository_id, row.pushed_at]))
    },

    async writeLook(repositoryId, pushedAt) {
      await write(async (transaction) => {
        await transaction
          .insertInto('repository_looks')
          .values({ repository_id: repositoryId, pushed_at: pushedAt })
          .onConflict((conflict) => conflict.column('repository_id').doUpdateSet({ pushed_at: pushedAt }))
          .execute()
      })
    },
  }
}
