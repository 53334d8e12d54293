// The traders' pages start here.
import { mount } from 'svelte'
import '../shared/styles/base.css'
import { startRouter } from '../shared/router/router.svelte'
import App from './App.svelte'
import { registerWorker } from './installing'
import { session } from './session/session.svelte'

startRouter()
void session.start()
mount(App, { target: document.getElementById('app')! })
registerWorker()
