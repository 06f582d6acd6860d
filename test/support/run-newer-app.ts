// The app as a later version may be: its schema has more steps.
import './newer-schema.ts'
import './run-app.ts'
