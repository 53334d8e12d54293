// The traders' pages start here.
import { mount } from 'svelte'
import '../shared/styles/base.css'
import { startRouter } from '../shared/router/router.svelte'
import { ignoreHeldEnter } from '../shared/state/held-enter'
import { inTurn } from '../shared/state/turns'
import './ahead'
import App from './App.svelte'
import { registerLater } from './installing'
import { readAhead } from './market/read-event'
import { currency } from './session/currency.svelte'
import { session } from './session/session.svelte'

startRouter()
ignoreHeldEnter()
readAhead(location.pathname, currency.current)
void session.start()
// The task before has run all the code; the first rendering is a separate task.
inTurn(() => mount(App, { target: document.getElementById('app')! }))
new Worker(new URL('../shared/numbers/prepare-dates.ts', import.meta.url), { type: 'module' })
registerLater()
